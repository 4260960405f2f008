"""Sizes that make the residuals and the network's output numbers of order one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

import sciml.framework as fw

from .points import Points

if TYPE_CHECKING:
    from .trial import Requirement, Trial

# Share of what a field of the prescribed size makes of a residual, below which that counts as zero.
ROUNDING = 1e-10
# Points on which sizes are looked at.
SAMPLE = Points(interior=256, boundary=64)


@dataclass(frozen=True)
class Scales:
    """Sizes in the units of the problem.

    Parameters
    ----------
    length : tuple of float
        Sides of the bounding box [coordinate units]; the network sees them as [-1, 1].
    fields : Mapping of str to float
        Size of each field that the data imply, in its unit; for a plate q a^4 / D times a number.
    outputs : Mapping of str to float
        Factor of the network's output in each field: its size, over that of the factor which
        makes conditions exact.
    residuals : Mapping of str to float
        Divisor of each residual in the loss.
    implied : Mapping of str to float
        Size of each field that the data imply, with what its trial form prescribes; 0 if nothing.
    """

    length: tuple[float, ...]
    fields: Mapping[str, float]
    outputs: Mapping[str, float]
    residuals: Mapping[str, float]
    implied: Mapping[str, float] = field(default_factory=dict)

    def to_plain(self) -> dict[str, object]:
        """Return plain data for a record."""
        return {
            "length": list(self.length),
            "fields": dict(self.fields),
            "outputs": dict(self.outputs),
            "residuals": dict(self.residuals),
        }


def find_scales(trial: Trial) -> Scales:
    """Return the sizes that the data of a problem imply.

    Let r(0) be a residual for a zero network (the load, the boundary data) and r(1) the one for a
    smooth function of size one in its place. Then |r(0)| / |r(1) - r(0)| is the size at which the
    field balances the data: for a plate q a^4 / D times a number. A field takes the largest over
    all residuals, and a known size where that is larger; a residual is divided by the larger of
    |r(0)| and what the field makes of it.
    """
    lower, upper = map(np.asarray, trial.problem.geometry.bounding_box)
    names = [form.field.func.__name__ for form in trial.problem.forms]
    sampled = [(r, r.arrays(trial.problem.geometry, SAMPLE, 0)) for r in trial.requirements]
    data = {r.name: _size(trial, r, arrays, None) for r, arrays in sampled}
    response = {
        (name, r.name): _size(trial, r, arrays, k) for k, name in enumerate(names)
        for r, arrays in sampled
    }  # fmt: skip
    inside = trial.problem.geometry.sample_interior(SAMPLE.interior)
    units = {name: _field_size(trial, k, inside) for k, name in enumerate(names)}
    rest = _test_fields(trial, None)
    prescribed = {name: _largest(np.asarray(rest[name](inside))) for name in names}
    for r, _ in sampled:
        # Where the prescribed values are a solution already, what is left is rounding.
        made = max(prescribed[n] / units[n] * response[n, r.name] for n in names)
        data[r.name] = data[r.name] if data[r.name] > ROUNDING * made else 0.0
    outputs, fields, implied = {}, {}, {}
    for name in names:
        ratios = [data[r.name] / response[name, r.name] for r, _ in sampled
                  if response[name, r.name] > 0.0]  # fmt: skip
        implied[name] = max(ratios, default=0.0) * units[name] + prescribed[name]
        outputs[name] = max(*ratios, trial.sizes.get(name, 0.0) / units[name], 0.0) or 1.0
        fields[name] = outputs[name] * units[name]
    residuals = {
        r.name: max(data[r.name], *(outputs[n] * response[n, r.name] for n in names)) or 1.0
        for r, _ in sampled
    }
    length = tuple(float(s) for s in upper - lower)
    return Scales(length, fields, outputs, residuals, implied)


def largest_response(trial: Trial, requirement: Requirement, arrays: Any) -> float:
    """Return the largest change of a residual by smooth fields of the sizes of the trial's."""
    outputs = enumerate(trial.scales.outputs.values())
    return max(size * _size(trial, requirement, arrays, k) for k, size in outputs)


def _size(trial: Trial, requirement: Requirement, arrays: Any, field: int | None) -> float:
    """Return the largest |r(0)|, or |r(1) - r(0)| with a smooth function for one field."""
    with np.errstate(all="ignore"):
        base = np.asarray(requirement.residual(_test_fields(trial, None), arrays))
    if field is None:
        return _largest(base)
    return _largest(np.asarray(requirement.residual(_test_fields(trial, field), arrays)) - base)


def _field_size(trial: Trial, field: int, X: Any) -> float:
    """Return how large a field is for a smooth function of size one in its trial form."""
    name = trial.problem.forms[field].field.func.__name__
    moved, rest = _test_fields(trial, field)[name](X), _test_fields(trial, None)[name](X)
    return _largest(np.asarray(moved) - np.asarray(rest)) or 1.0


def _test_fields(trial: Trial, field: int | None) -> dict[str, Any]:
    """Return the fields of zero raw functions, but for a smooth one of size one."""
    form = trial.problem.forms[0]
    lower, upper = map(np.asarray, form.embedding.box(*trial.problem.geometry.bounding_box))

    def zero(X: Any) -> Any:
        return X[:, 0] * 0.0

    def smooth(X: Any) -> Any:
        product = 1.0
        for i in range(len(lower)):
            centre, half = 0.5 * (lower[i] + upper[i]), 0.5 * (upper[i] - lower[i])
            product = product * fw.cos((X[:, i] - centre) * (1.0 / half) + 0.2)
        return product

    return trial.bind([smooth if k == field else zero for k in range(len(trial.problem.forms))])


def _largest(values: Any) -> float:
    """Return the largest size, or 0 where it is not finite: training says where that is."""
    largest = float(np.max(np.abs(values)))
    return largest if np.isfinite(largest) else 0.0
