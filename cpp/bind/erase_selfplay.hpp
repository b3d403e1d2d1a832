// Fills the table of selfplay.hpp for one game.
#pragma once

#include <stdexcept>

#include "bind/erase.hpp"
#include "bind/selfplay.hpp"
#include "core/facts.hpp"

namespace qilin::bind {

template <class G>
concept TellsCaptures = requires(const typename G::State& state) {
  { Facts<G>::captured(state, state) } -> std::same_as<int>;
};

// A noted game, played once more by the rules alone.
template <Game G>
class Retelling {
 public:
  Retelling(const selfplay::Progress& progress, const Position& start)
      : progress_(progress), line_(Erase<G>::line(start)) {
    told_.number = progress.number;
    told_.start = G::text(line_.state);
    told_.plies = progress.plies;
    told_.opening = progress.opening;
    told_.left_out = progress.left_out;
    told_.is_checked = progress.is_checked;
    if (progress.resigner != selfplay::neither) told_.resigner = progress.resigner;
    if constexpr (TellsCaptures<G>) told_.captures = 0;
  }

  [[nodiscard]] GameTold tell(std::span<const selfplay::Note> notes) {
    for (const selfplay::Note& note : notes) play(note);
    const Result result = progress_.resigned ? progress_.result : line_.result();
    if (!(result == progress_.result) || line_.result().over() == progress_.resigned) {
      fail("ended otherwise than by the rules");
    }
    const int value = result.value(0);
    if (value != 0) told_.winner = value > 0 ? 0 : 1;
    told_.reason = progress_.resigned ? "resigned" : G::reasons[result.reason];
    return std::move(told_);
  }

 private:
  void play(const selfplay::Note& note) {
    const bool chance = note.kind == selfplay::Kind::chance;
    if (chance != is_chance<G>(line_.state)) fail("chance was asked out of turn");
    const typename G::State before = line_.state;
    told_.moves.push_back(chance ? resolve(note.move) : move(note.move));
    if constexpr (TellsCaptures<G>) *told_.captures += Facts<G>::captured(before, line_.state);
    const bool searched = note.kind == selfplay::Kind::full || note.kind == selfplay::Kind::fast;
    told_.values.push_back(searched ? std::optional(note.value) : std::nullopt);
    told_.fast.push_back(note.kind == selfplay::Kind::fast);
  }

  std::string move(Move move) {
    bool found = false;
    legal<G>(line_.state, line_.past(), [&](Move possible) { found = found || possible == move; });
    if (!found) fail("move " + std::to_string(move) + " was not legal");
    std::string text = G::move_text(line_.state, move);
    line_.play(move);
    return text;
  }

  std::string resolve([[maybe_unused]] int outcome) {
    if constexpr (HasChance<G>) {
      bool found = false;
      G::outcomes(line_.state, [&](int possible, int) { found = found || possible == outcome; });
      if (!found) fail("outcome " + std::to_string(outcome) + " was not possible");
      line_.resolve(outcome);
      return G::outcome_names[static_cast<std::size_t>(outcome)];
    }
    return {};
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("game " + std::to_string(progress_.number) + " of self-play: " + what + " in " +
                           quoted(G::text(line_.state)));
  }

  const selfplay::Progress& progress_;
  Line<G> line_;
  GameTold told_;
};

template <Game G>
struct EraseSelfPlay {
  using Garden = selfplay::Garden<G>;
  using Sample = selfplay::Sample<G>;
  static Garden& of(void* p) { return *static_cast<Garden*>(p); }
  static const Garden& of(const void* p) { return *static_cast<const Garden*>(p); }

  static GameTold tell(const std::byte* from, const Position& start) {
    const auto record = std::make_unique<selfplay::Record<G>>();
    std::memcpy(static_cast<void*>(record.get()), from, sizeof *record);
    const selfplay::Progress& progress = record->progress;
    if (progress.notes > selfplay::most_notes<G>) refuse("games that are damaged, or of another version");
    return Retelling<G>(progress, start).tell({record->notes, progress.notes});
  }
  static std::vector<GameTold> take_games(void* p, const Position& start) {
    std::vector<GameTold> told;
    for (const selfplay::Finished& game : of(p).take_games()) {
      told.push_back(Retelling<G>(game.progress, start).tell(game.notes));
    }
    return told;
  }
  static Bytes take_samples(void* p) {
    const std::vector<Sample> samples = of(p).take_samples();
    const auto* bytes = reinterpret_cast<const std::byte*>(samples.data());
    return {bytes, bytes + samples.size() * sizeof(Sample)};
  }

  static void examples(const std::byte* samples, const u8* symmetries, const selfplay::Mixture& mix, float* planes,
                       const selfplay::Examples& to, int first, int last) {
    for (int row = first; row < last; ++row) {
      Sample sample;
      std::memcpy(static_cast<void*>(&sample), samples + static_cast<std::size_t>(row) * sizeof sample, sizeof sample);
      const int symmetry = symmetries ? symmetries[row] % G::symmetries : 0;
      const Planes<G> seen = selfplay::planes_of<G>(sample, symmetry);
      float* out = planes + static_cast<std::ptrdiff_t>(row) * (G::planes * plane_cells<G>);
      for (int i = 0; i < G::planes; ++i) Erase<G>::paint(seen[i], out + i * plane_cells<G>);
      selfplay::Lesson<G, OneLane>(sample, symmetry, mix, to, static_cast<u64>(row)).write();
    }
  }

  static std::vector<SampleField> fields() {
    const auto bytes = [](std::size_t n) { return "V" + std::to_string(n); };
    const auto list = std::to_string(G::max_legal);
    std::vector<SampleField> all{{"state", bytes(sizeof(typename G::State)), offsetof(Sample, state)},
                                 {"game", "<u8", offsetof(Sample, game)},
                                 {"value", "<f4", offsetof(Sample, value)},
                                 {"draws", "<f4", offsetof(Sample, draws)},
                                 {"surprise", "<f4", offsetof(Sample, surprise)},
                                 {"weight", "<f4", offsetof(Sample, weight)},
                                 {"margin", "<i4", offsetof(Sample, margin)},
                                 {"ply", "<u2", offsetof(Sample, ply)},
                                 {"note", "<u2", offsetof(Sample, note)},
                                 {"plies_left", "<u2", offsetof(Sample, plies_left)},
                                 {"count", "<u2", offsetof(Sample, count)},
                                 {"reply", "<u2", offsetof(Sample, reply)},
                                 {"has_reply", "u1", offsetof(Sample, has_reply)},
                                 {"was_finished", "u1", offsetof(Sample, was_finished)},
                                 {"outcome", "i1", offsetof(Sample, outcome)},
                                 {"moves", "(" + list + ",)<u2", offsetof(Sample, moves)},
                                 {"shares", "(" + list + ",)<u2", offsetof(Sample, shares)}};
    if constexpr (HasPast<G>) all.push_back({"recall", bytes(sizeof(Recall<G>)), offsetof(Sample, recall)});
    if constexpr (HasOwnership<G>) {
      all.push_back({"owned", bytes(sizeof(selfplay::Owned<G>)), offsetof(Sample, owned)});
    }
    return all;
  }

  static const SelfPlayTable& table() {
    static const SelfPlayTable made{
        .bytes = [](const forest::Search& search) { return Garden::bytes(search); },
        .make = [](const forest::Search& search, const selfplay::Play& play, const Position& start, int games, u64 seed,
                   int threads) -> std::shared_ptr<void> {
          return std::make_shared<Garden>(search, play, Erase<G>::state(start), games, seed, threads);
        },
        .most_rows = [](const void* p) { return of(p).most_rows(); },
        .rows = [](const void* p) { return of(p).rows(); },
        .leaves = [](void* p, float* planes) { return of(p).leaves(planes); },
        .grow = [](void* p, std::span<const float> logits, std::span<const float> values,
                   forest::Values form) { of(p).grow(logits, values, form); },
        .forget = [](void* p, bool boosted,
                     const Array<float, forest::most_tiers>& boosts) { of(p).forget(boosted, boosts); },
        .ready = [](const void* p) { return of(p).ready(); },
        .take_samples = take_samples,
        .take_games = take_games,
        .saved = [](const void* p) { return of(p).saved(); },
        .load = [](void* p, std::span<const std::byte> from) { of(p).load(from); },
        .sample_bytes = sizeof(Sample),
        .sample_fields = fields(),
        .examples = examples,
        .record_bytes = sizeof(selfplay::Record<G>),
        .tell = tell,
    };
    return made;
  }
};

}  // namespace qilin::bind
