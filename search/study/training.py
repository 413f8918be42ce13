"""Training of a network on positions of self-play; only this file and `layers` import PyTorch.

The loss is the cross-entropy of each role's value with the target value, plus that of its policy over its legal moves
with the search's targets (Silver et al. 2017). The optimizer is AdamW. The result is a moving average of the weights,
which varies less than the last weights (Izmailov et al. 2018; KataGo, Wu 2019).
"""

from __future__ import annotations

from io import BytesIO

import numpy as np

from search.errors import StudyError
from search.network import Network
from search.study.games import Games, Shares
from search.study.validation import Losses

try:
    import torch
    from torch.nn import functional
except ImportError as error:  # an optional dependency
    raise StudyError("studying needs PyTorch: pip install 'ggp-agent[study]'") from error

from search.study.layers import Layers, Outputs

WEIGHT_DECAY = 1e-4


class Trainer:
    """Fits the weights of layers, on a GPU if there is one."""

    def __init__(self, layers: Layers, seed: int = 0, threads: int = 1) -> None:
        torch.set_num_threads(threads)
        self._layers = layers
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._weights = {
            name: torch.nn.Parameter(torch.from_numpy(array.copy()).to(self._device))
            for name, array in layers.fresh(seed).items()
        }
        self._average = {name: weight.detach().clone() for name, weight in self._weights.items()}
        self._optimizer = torch.optim.AdamW(self._weights.values(), weight_decay=WEIGHT_DECAY)
        self.steps = 0

    def step(self, positions: Games, rate: float) -> Losses:
        """Take one gradient step on a minibatch whose `results` are the target values."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate * min(1.0, (self.steps + 1) / 100)
        value, policy = self._losses(positions)
        self._optimizer.zero_grad(set_to_none=True)
        (value + policy).backward()  # type: ignore[no-untyped-call]  # PyTorch gives it no types
        self._optimizer.step()
        self.steps += 1
        share = max(1 / self.steps, 1 / 300)
        with torch.no_grad():
            for name, weight in self._weights.items():
                self._average[name].lerp_(weight, share)
        return Losses(float(value.detach()), float(policy.detach()))

    def network(self) -> Network:
        """Return the network with the moving average of the weights."""
        arrays = {name: weight.cpu().numpy().copy() for name, weight in self._average.items()}
        return self._layers.network(arrays)

    def state(self) -> bytes:
        """Serialize the state of the training."""
        file = BytesIO()
        weights = {name: weight.detach() for name, weight in self._weights.items()}
        kept = {"weights": weights, "average": self._average, "optimizer": self._optimizer.state_dict()}
        torch.save({**kept, "steps": self.steps}, file)
        return file.getvalue()

    def restore(self, data: bytes) -> None:
        """Resume from the output of `state`. Raises StudyError on anything else."""
        try:
            kept = torch.load(BytesIO(data), map_location=self._device, weights_only=True)
            with torch.no_grad():
                for name, weight in self._weights.items():
                    weight.copy_(kept["weights"][name])
                    self._average[name].copy_(kept["average"][name])
            self._optimizer.load_state_dict(kept["optimizer"])
            self.steps = int(kept["steps"])
            if not all(bool(torch.isfinite(own).all()) for own in (*self._weights.values(), *self._average.values())):
                raise ValueError("a weight is not a finite number")
        except Exception as error:  # the reader of a damaged file raises any
            reason = str(error)[:200] or "it is cut off"
            raise StudyError(
                f"the saved training state is unreadable: {reason}; start a new study in another folder"
            ) from error

    def _losses(self, positions: Games) -> tuple[torch.Tensor, torch.Tensor]:
        facts = len(self._layers.vocabulary.facts)
        bits = torch.from_numpy(np.unpackbits(positions.observations, axis=1, count=facts)).to(self._device)
        found = self._layers.outputs(self._weights, bits)
        wanted = torch.from_numpy(positions.results).to(self._device)
        value = functional.binary_cross_entropy_with_logits(found.values, wanted)
        policy = torch.zeros((), device=self._device)
        for role, shares in enumerate(positions.policies):
            if len(shares.moves):
                policy = policy + self._policy_loss(role, found, shares)
        return value, policy / len(positions)

    def _policy_loss(self, role: int, found: Outputs, shares: Shares) -> torch.Tensor:
        """Return the cross-entropy over the legal moves, summed over positions."""
        rows = torch.from_numpy(shares.rows()).to(self._device)
        moves = torch.from_numpy(shares.moves.astype(np.int64)).to(self._device)
        wanted = torch.from_numpy(shares.shares.astype(np.float32)).to(self._device)
        logits = self._layers.logits(self._weights, role, found, rows, moves)
        highest = torch.full((len(shares),), -torch.inf, device=self._device)
        highest = highest.scatter_reduce(0, rows, logits.detach(), "amax")
        logits = logits - highest[rows]
        totals = torch.zeros(len(shares), device=self._device).index_add(0, rows, torch.exp(logits))
        sums = torch.zeros(len(shares), device=self._device).index_add(0, rows, wanted)
        return (sums * torch.log(totals.clamp_min(1e-30))).sum() - (wanted * logits).sum()  # 0: no legal moves there
