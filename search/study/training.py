"""Training of a network on positions of self-play; the only file that imports PyTorch.

The loss is the cross-entropy of each role's value with the target value, plus that of its policy over its legal moves
with the search's targets (Silver et al. 2017). The optimizer is AdamW. The result is a moving average of the weights,
which varies less than the last weights (Izmailov et al. 2018; KataGo, Wu 2019).
"""

from __future__ import annotations

from io import BytesIO
from pickle import UnpicklingError
from typing import Any

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

WEIGHT_DECAY = 1e-4


class Trainer:
    """Fits a network, on a GPU if there is one."""

    def __init__(self, network: Network, threads: int = 1) -> None:
        torch.set_num_threads(threads)
        self._first = network
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._weights = {
            name: torch.nn.Parameter(torch.from_numpy(array.copy()).to(self._device))
            for name, array in _arrays(network).items()
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
        return _network(self._first, arrays)

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
        except (RuntimeError, KeyError, ValueError, TypeError, EOFError, UnpicklingError) as error:
            raise StudyError(
                f"the saved training state is unreadable: {str(error)[:200]}; start a new study in another folder"
            ) from error

    def _losses(self, positions: Games) -> tuple[torch.Tensor, torch.Tensor]:
        weights, device = self._weights, self._device
        facts = len(self._first.facts)
        bits = torch.from_numpy(np.unpackbits(positions.observations, axis=1, count=facts)).to(device)
        units = torch.relu(bits.float() @ weights["fact_rows"] + weights["fact_bias"])
        for number in range(len(self._first.hidden)):
            units = torch.relu(units @ weights[f"hidden{number}"] + weights[f"hidden_bias{number}"])
        logits = units @ weights["value"] + weights["value_bias"]
        wanted = torch.from_numpy(positions.results).to(device)
        value = functional.binary_cross_entropy_with_logits(logits, wanted)
        policy = torch.zeros((), device=device)
        for role, shares in enumerate(positions.policies):
            if len(shares.moves):
                policy = policy + self._policy_loss(role, units, shares)
        return value, policy / len(positions)

    def _policy_loss(self, role: int, units: torch.Tensor, shares: Shares) -> torch.Tensor:
        """Return the cross-entropy over the legal moves, summed over positions."""
        rows = torch.from_numpy(shares.rows()).to(self._device)
        moves = torch.from_numpy(shares.moves.astype(np.int64)).to(self._device)
        wanted = torch.from_numpy(shares.shares.astype(np.float32)).to(self._device)
        logits = self._logits(role, units, rows, moves)
        highest = torch.full((len(units),), -torch.inf, device=self._device)
        highest = highest.scatter_reduce(0, rows, logits.detach(), "amax")
        raised = torch.exp(logits - highest[rows])
        totals = torch.zeros(len(units), device=self._device).index_add(0, rows, raised)
        chances = logits - highest[rows] - torch.log(totals[rows])
        return -(wanted * chances).sum()

    def _logits(self, role: int, units: torch.Tensor, rows: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
        """Return the logits of the legal moves; if they are a small share of all moves, compute only these."""
        weights, bias = self._weights[f"policy{role}"], self._weights[f"policy_bias{role}"]
        if len(rows) * 8 < len(units) * len(bias):
            return (units[rows] * weights[moves]).sum(dim=1) + bias[moves]
        return (units @ weights.T + bias)[rows, moves]


def _arrays(network: Network) -> dict[str, Any]:
    arrays = {"fact_rows": network.fact_rows, "fact_bias": network.fact_bias}
    for number, (weights, bias) in enumerate(network.hidden):
        arrays |= {f"hidden{number}": weights, f"hidden_bias{number}": bias}
    arrays |= {"value": network.value[0], "value_bias": network.value[1]}
    for role, (rows, bias) in enumerate(network.policy):
        arrays |= {f"policy{role}": rows, f"policy_bias{role}": bias}
    return arrays


def _network(like: Network, arrays: dict[str, Any]) -> Network:
    return Network(
        like.roles,
        like.facts,
        like.moves,
        arrays["fact_rows"],
        arrays["fact_bias"],
        tuple((arrays[f"hidden{n}"], arrays[f"hidden_bias{n}"]) for n in range(len(like.hidden))),
        (arrays["value"], arrays["value_bias"]),
        tuple((arrays[f"policy{r}"], arrays[f"policy_bias{r}"]) for r in range(len(like.policy))),
    )
