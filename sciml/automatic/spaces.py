"""Trial spaces that are linear in their parameters, from coarse to fine, for a problem."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np

from sciml.equations import Initial, Periodic
from sciml.equations.conditions.forced import Forced
from sciml.networks import Parameters, SpectralFeatures
from sciml.problem.problem import Problem

# Unknowns of the first and of the largest space: beyond it a solve takes minutes.
FIRST, LARGEST = 40, 1600
_GROWTH = 1.45
# A direction in which the last coefficients are below this part of the others' is fine enough.
_FINE = 1e-2


def softened(problem: Problem) -> Problem:
    """Return a problem whose conditions all enter the loss, but those asked to be exact.

    A polynomial needs no form that satisfies them, and stays one without it.
    """
    return Problem(problem.geometry, problem.pde, [_softened(c) for c in problem.conditions])


def _softened(condition: Any) -> Any:
    if isinstance(condition, Forced):
        return replace(condition, condition=_softened(condition.condition))
    has_choice = any(f.name == "hard" for f in fields(condition))
    if has_choice and condition.hard is None:
        return replace(condition, hard=False)
    return condition


def first_space(problem: Problem) -> SpectralFeatures:
    """Return products of Chebyshev polynomials, and of waves where the problem is periodic."""
    names = [c.name for c in problem.pde.coordinates]
    lower, upper = problem.geometry.bounding_box
    bases: list[Literal["chebyshev", "fourier"]] = []
    for name, a, b in zip(names, lower, upper, strict=True):
        around = {
            c.field for c in problem.conditions
            if isinstance(c, Periodic) and c.coordinate == name
            and math.isclose(c.period, b - a, rel_tol=1e-9)
        }  # fmt: skip
        bases.append("fourier" if around >= {f.name for f in problem.pde.fields} else "chebyshev")
    degree = 1
    while _spectral(degree, bases).count * len(problem.pde.fields) < FIRST:
        degree += 1
    return _spectral(degree, bases)


def _spectral(degree: int, bases: list[Literal["chebyshev", "fourier"]]) -> SpectralFeatures:
    degrees = tuple(max(1, degree // 2) if b == "fourier" else degree for b in bases)
    return SpectralFeatures(len(bases), degrees, tuple(bases), total=True)


def grown(space: SpectralFeatures, parameters: Parameters) -> SpectralFeatures:
    """Return a finer space: of higher degrees where the last coefficients are not yet small."""
    assert isinstance(space.degrees, tuple)
    C = np.abs(np.asarray(parameters["C"])[: space.own_count]).max(axis=1)
    numbers = space.products()
    tails = []
    for i, (basis, degree) in enumerate(space.axes):
        order = numbers[:, i] if basis == "chebyshev" else (numbers[:, i] + 1) // 2
        tails.append(C[order > 0.7 * degree].max(initial=0.0))
    largest = max(tails)
    degrees = tuple(
        degree if tail < _FINE * largest else max(degree + 1, round(_GROWTH * degree))
        for degree, tail in zip(space.degrees, tails, strict=True)
    )
    return replace(space, degrees=degrees)


def carried_over(
    parameters: Parameters, coarse: SpectralFeatures, fine: SpectralFeatures
) -> Parameters:
    """Return the coefficients of the same function in a space that holds the coarse one."""
    given = np.asarray(parameters["C"])
    place = {tuple(row): i for i, row in enumerate(fine.products().tolist())}
    C = np.zeros((fine.count, given.shape[1]))
    for row, values in zip(coarse.products().tolist(), given, strict=False):
        C[place[tuple(row)]] = values
    added = sum(e.count for e in coarse.enrichment)
    if added:
        C[fine.own_count : fine.own_count + added] = given[coarse.own_count :]
    return {"C": C}


def evolves(problem: Problem) -> bool:
    """Return whether a problem may be solved window by window in time."""
    return any(isinstance(c, Initial) for c in problem.conditions)
