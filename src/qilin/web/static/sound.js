// Sounds, made when they are needed: wood on wood, a stone, a bell. No files.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** @typedef {{pitch: number, fall: number, noise: number, length: number, gain: number}} Knock */
/** @type {Record<string, Knock[]>} */
const SOUNDS = {
  move: [{ pitch: 420, fall: 0.5, noise: 0.5, length: 0.07, gain: 0.5 }],
  take: [{ pitch: 300, fall: 0.4, noise: 0.8, length: 0.1, gain: 0.6 }, { pitch: 180, fall: 0.5, noise: 0.2, length: 0.12, gain: 0.5 }],
  turn: [{ pitch: 620, fall: 1.3, noise: 0.1, length: 0.09, gain: 0.3 }],
  check: [{ pitch: 880, fall: 1, noise: 0, length: 0.22, gain: 0.25 }],
  end: [{ pitch: 523, fall: 1, noise: 0, length: 0.35, gain: 0.25 }, { pitch: 784, fall: 1, noise: 0, length: 0.5, gain: 0.2 }],
  no: [{ pitch: 140, fall: 0.8, noise: 0.1, length: 0.12, gain: 0.3 }],
};

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!settings().sound || !window.AudioContext || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  SOUNDS[name].forEach((part, index) => knock(/** @type {AudioContext} */ (context), part, now + index * 0.06));
}

/** @param {AudioContext} audio @param {Knock} part @param {number} at */
function knock(audio, { pitch, fall, noise, length, gain }, at) {
  const level = audio.createGain();
  level.gain.setValueAtTime(gain * 0.5, at);
  level.gain.exponentialRampToValueAtTime(0.001, at + length);
  level.connect(audio.destination);
  const tone = audio.createOscillator();
  tone.type = noise ? "triangle" : "sine";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch * fall, at + length);
  tone.connect(level);
  tone.start(at);
  tone.stop(at + length);
  if (noise) hiss(audio, level, noise, at);
}

/** The dry click of the first hundredth of a second. @param {AudioContext} audio @param {AudioNode} out @param {number} share @param {number} at */
function hiss(audio, out, share, at) {
  const buffer = audio.createBuffer(1, Math.round(audio.sampleRate * 0.02), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = (Math.random() * 2 - 1) * share * (1 - index / samples.length);
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(out);
  source.start(at);
}
