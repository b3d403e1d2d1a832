"""Trained networks as functions of planes, by onnxruntime or by torch; nothing here trains.

>>> network = load(Path("runs/ataxx"))
>>> logits, values = network(state.planes()[None])  # (1, policy_size), (1, 3): win, draw, loss of the player to move
"""

from qilin.networks.files import Facts, find
from qilin.networks.load import Network, load

__all__ = ["Facts", "Network", "find", "load"]
