"""Training: self-play, a window of samples, a learner, evaluation, checkpoints. Needs the extra `train`.

Nothing here is imported by `import qilin`, and importing this package loads no torch: its modules do.
"""
