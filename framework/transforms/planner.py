"""The planner: from the derivatives that are asked for to the cheapest way to compute them.

Plans differ in how many coefficient arrays they carry through the field and in how long a program
they make. `explain` shows what was considered.
"""

from __future__ import annotations

import contextvars
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DifferentiationError, ShapeError
from ..ops.primitive import type_of
from .fields import Field, trace_field
from .plans.costs import Cost
from .plans.directional import Collapsed, Directional
from .plans.multi_index import MultiIndexPlan
from .plans.nested import Nested
from .plans.request import Plan, Request
from .taylor import MultiIndex
from .trace import rewrap, trace, unwrap_leaves

__all__ = ["PLANS", "Candidate", "Decision", "compute", "decide", "explain", "recording"]

# In the order of preference where operations are alike: reverse mode, last, must store what the
# forward sweep has made.
_ALL: tuple[Plan, ...] = (
    MultiIndexPlan(), Collapsed("forward_laplacian"), Collapsed("collapsed"), Directional(),
    Nested(),
)  # fmt: skip
PLANS: dict[str, Plan] = {plan.name: plan for plan in _ALL}

# Plans whose operations differ by less than this take the same time, measured for Laplacians,
# biharmonics and gradients of MLPs of width 64 in 2 to 30 dimensions in both precisions.
_ALIKE = 1.1
# The program, and with it the time to compile, grows with every coefficient that is written out,
# while stacked coefficients are one array however many they are.
_MOST_WRITTEN_OUT = 16


@dataclass(frozen=True)
class Candidate:
    """A plan with its cost, or with the reason why it cannot serve the request."""

    name: str
    cost: Cost | None
    refusal: str = ""


@dataclass(frozen=True)
class Decision:
    """A plan that was chosen, among which ones, and why."""

    field: str
    request: Request
    candidates: tuple[Candidate, ...]
    chosen: str
    reason: str

    def __str__(self) -> str:
        """Return the decision as a table."""
        names = ", ".join(_name(a) for a in self.request.indices[:_NAMED])
        more = len(self.request.indices) - _NAMED
        kind = "a weighted sum of " if self.request.weights is not None else ""
        lines = [
            f"{self.field}: {kind}{names}{f' and {more} more' if more > 0 else ''}",
            f"  {'plan':<18} {'coefficients':>12} {'operations/point':>17} {'bytes/point':>12}",
        ]
        for c in self.candidates:
            mark = "*" if c.name == self.chosen else " "
            if c.cost is None:
                lines.append(f"{mark} {c.name:<18} {'-':>12} {c.refusal}")
            else:
                lines.append(
                    f"{mark} {c.name:<18} {c.cost.coefficients:>12,} "
                    f"{c.cost.operations:>17,.0f} {c.cost.bytes:>12,.0f}"
                )
        return "\n".join([*lines, f"  {self.chosen}: {self.reason}"])


_NAMED = 6


def _name(a: MultiIndex) -> str:
    """Return u_xxyy for the multi-index (2, 2), u_x5x5 in more than three dimensions."""
    letters = "xyz" if len(a) <= 3 else [f"x{i + 1}" for i in range(len(a))]
    text = "".join(letter * n for letter, n in zip(letters, a, strict=False))
    return f"u_{text}" if text else "u"


_decisions: contextvars.ContextVar[list[Decision] | None] = contextvars.ContextVar(
    "decisions", default=None
)


@contextmanager
def recording() -> Iterator[list[Decision]]:
    """Collect the decisions made inside."""
    made: list[Decision] = []
    token = _decisions.set(made)
    try:
        yield made
    finally:
        _decisions.reset(token)


def compute(u: Callable[[Any], Any], X: Any, request: Request, plan: str | None) -> list[Any]:
    """Compute what is requested by the cheapest plan, or by a given one.

    Returns
    -------
    list
        For each index, or for the sum alone, the derivative in the container of u(X).
    """
    field = trace_field(u, X)
    for a in request.indices:
        if len(a) != field.dimension:
            raise ShapeError(
                f"derivatives: multi-index {a} has {len(a)} entries, "
                f"but the points have {field.dimension} coordinates"
            )
    dtype = type_of(field.points).dtype
    if any(math.prod(map(math.factorial, a)) > float(np.finfo(dtype).max) for a in request.indices):
        raise DifferentiationError(
            f"derivatives: order {request.order} overflows {dtype.name}; use float64"
        )
    decision = decide(field, request, plan)
    made = _decisions.get()
    if made is not None:
        made.append(decision)
    results = PLANS[decision.chosen].run(field, request)
    return [rewrap(field.structure, outputs) for outputs in results]


def decide(field: Field, request: Request, plan: str | None) -> Decision:
    """Weigh the plans for a request; `plan` forces one."""
    if plan is not None and (not isinstance(plan, str) or plan not in PLANS):
        raise DifferentiationError(f"no plan is called {plan!r}; there are {', '.join(PLANS)}")
    candidates = []
    for each in PLANS.values():
        refusal = each.refusal(field, request)
        cost = None if refusal else each.cost(field, request)
        candidates.append(Candidate(each.name, cost, refusal))
    possible = {c.name: c.cost for c in candidates if c.cost is not None}
    name = field.program.name
    if plan is not None:
        if plan not in possible:
            refusal = next(c.refusal for c in candidates if c.name == plan)
            raise DifferentiationError(f"{name}: the plan {plan!r} cannot be used: {refusal}")
        return Decision(name, request, tuple(candidates), plan, "asked for")
    if not possible:
        reasons = "; ".join(f"{c.name}: {c.refusal}" for c in candidates)
        raise DifferentiationError(f"{name}: no plan can serve the request: {reasons}")
    chosen, reason = _cheapest(possible)
    return Decision(name, request, tuple(candidates), chosen, reason)


def _cheapest(possible: dict[str, Cost]) -> tuple[str, str]:
    """Return the plan to take and why."""
    fewest = min(cost.operations for cost in possible.values())
    alike = [name for name, cost in possible.items() if cost.operations <= _ALIKE * fewest]
    if len(alike) == 1:
        return alike[0], "the fewest operations"
    if alike[0] != "multi_index":
        return alike[0], f"as few operations as {' or '.join(alike[1:])}, and less to store"
    if possible["multi_index"].coefficients <= _MOST_WRITTEN_OUT:
        return "multi_index", "no plan needs clearly fewer operations, and its program is short"
    return alike[1], (
        f"as few operations as multi_index, whose coefficients, more than {_MOST_WRITTEN_OUT}, "
        "would make a long program"
    )


def explain(function: Callable[..., Any], *arguments: object) -> str:
    """Return the plans that a function's derivatives take at given arguments, as text.

    Each table lists what every plan would carry and cost per point, marks the one that is taken
    and says why; see `derivatives`.

    Examples
    --------
    >>> import numpy as np
    >>> import sciml.framework as sf
    >>> print(explain(sf.laplacian(lambda X: sf.sin(X[:, 0]) * X[:, 1]), np.ones((8, 2))))
    <lambda>: a weighted sum of u_xx, u_yy
      plan               coefficients  operations/point  bytes/point
    * multi_index                   4                62          128
      forward_laplacian             4                83          128
      collapsed                     - of second order this is forward_laplacian
      directional                   5                83          160
      nested                        6               165          192
      multi_index: the fewest operations
    """
    operands, structure = unwrap_leaves(tuple(arguments))
    with recording() as made:
        trace(function, structure, [type_of(o) for o in operands])
    if not made:
        return "no derivatives of fields are taken"
    return "\n\n".join(str(decision) for decision in made)
