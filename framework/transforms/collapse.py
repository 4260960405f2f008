"""Collapse: a fixed combination of top-order Taylor coefficients is carried as one coefficient.

A residual such as w_xxxx + 2 w_xxyy + w_yyyy is a linear combination of coefficients of the last
layer. What is linear can be taken after the sum instead of before it,

    c1 (h1 W) + c2 (h2 W) = (c1 h1 + c2 h2) W,      c1 s z1 + c2 s z2 = s (c1 z1 + c2 z2),

and the same again one layer below, down to the first layer: the biharmonic operator in two
variables needs 11 matrix rows per point and layer instead of 13. Where the fixed factor is the
left one, as the branch of an operator network is, B (c1 t1) + B (c2 t2) = B (c1 t1 + c2 t2), and
functions meet points once. The rewrite is kept only where it saves a matrix product. It must come
before reverse mode, which then inherits it.

References
----------
Dangel, Siebert, Zeinhofer, Walther: Collapsing Taylor mode automatic differentiation (2025).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..ir.program import Operation, Program, Value
from ..ops.elementwise import add, mul, scaled
from ..ops.primitive import Operand, bind, primitives
from .stacked_sums import pull_sums
from .trace import rebuild

__all__ = ["collapse"]

# (factor, value): one summand of a linear combination
Term = tuple[float, Value]

# Operations of one operand that are linear and act on each array in the same way.
_LINEAR = frozenset(("reshape", "transpose", "broadcast", "slice", "reverse", "reduce_sum"))


def collapse(program: Program) -> Program:
    """Return the program with linear combinations taken before shared linear operations."""
    program = pull_sums(program)
    if program.count().get("dot_general", 0) < 2:
        return program
    return _Collapse(program).run()


class _Collapse:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses: dict[Value, int] = defaultdict(int)
        self.users: dict[Value, Operation] = {}
        for operation in program.operations:
            for value in operation.operands:
                self.uses[value] += 1
                self.users[value] = operation
        for value in program.outputs:
            self.uses[value] += 2
        self.made: dict[Value, Operand] = {}

    def run(self) -> Program:
        return rebuild(self.program, self.made, self._make)

    def _make(self, operation: Operation) -> Operand:
        operands = [self.made[v] for v in operation.operands]
        result = bind(primitives[operation.name], operands, operation.attributes)
        if self._is_root(operation):
            # its terms are read from what was made of their own operands
            self.made[operation.result] = result
            combined, saved = self._combine(self._expand([(1.0, operation.result)]))
            return combined if saved else result
        return result

    # --- linear combinations ----------------------------------------------------------------

    def _is_root(self, operation: Operation) -> bool:
        """Whether this is the last operation of a linear combination of several terms."""
        if self._parts(operation) is None:
            return False
        if self.uses[operation.result] != 1:
            return True
        return self._parts(self.users[operation.result]) is None

    def _constant(self, value: Value) -> float | None:
        source = value.operation
        if source is None or source.name != "full" or value.type.dtype.kind != "f":
            return None
        return float(source.attributes["value"].array)

    def _parts(self, operation: Operation | None) -> list[Term] | None:
        """Return the summands of one operation, or None where it is not a linear combination."""
        if operation is None or operation.result.type.dtype.kind != "f":
            return None
        if operation.name in ("add", "sub"):
            x, y = operation.operands
            return [(1.0, x), (1.0 if operation.name == "add" else -1.0, y)]
        if operation.name == "neg":
            return [(-1.0, operation.operands[0])]
        if operation.name == "mul":
            for x, y in (operation.operands, operation.operands[::-1]):
                factor = self._constant(y)
                if factor is not None:
                    return [(factor, x)]
        return None

    def _expand(self, terms: Sequence[Term]) -> list[Term]:
        """Write terms out until they are no linear combinations that only this sum uses."""
        done: list[Term] = []
        open_terms = list(terms)[::-1]
        first = True
        while open_terms:
            factor, value = open_terms.pop()
            parts = self._parts(value.operation) if first or self.uses[value] == 1 else None
            first = False
            if parts is None:
                done.append((factor, value))
            else:
                open_terms.extend((factor * f, v) for f, v in reversed(parts))
        return done

    def _combine(self, terms: Sequence[Term]) -> tuple[Operand, bool]:
        """Return the sum of terms and whether a matrix product was saved in making it."""
        groups: dict[object, list[tuple[float, Value, Value]]] = defaultdict(list)
        for factor, value in terms:
            for key, inner in self._linear_in(value):
                groups[key].append((factor, value, inner))
        taken: set[Value] = set()
        summands: list[Operand] = []
        saved = False
        # large groups first, so that a term with two shared factors goes where it saves most
        for key, members in sorted(groups.items(), key=lambda item: -len(item[1])):
            members = [m for m in members if m[1] not in taken]
            if len(members) < 2:
                continue
            inside = self._expand_inner([(f, x) for f, _, x in members])
            combined, below = self._combine(inside)
            operation = members[0][1].operation
            assert operation is not None
            if operation.name != "dot_general" and not below:
                continue
            summands.append(self._apply(operation, key, combined))
            taken.update(v for _, v, _ in members)
            saved = True
        summands += [scaled(self.made[v], f) for f, v in terms if v not in taken]
        total = summands[0]
        for summand in summands[1:]:
            total = add(total, summand)
        return total, saved

    def _expand_inner(self, terms: Sequence[Term]) -> list[Term]:
        done: list[Term] = []
        for factor, value in terms:
            if self.uses[value] == 1 and self._parts(value.operation) is not None:
                done += [(factor * f, v) for f, v in self._expand([(1.0, value)])]
            else:
                done.append((factor, value))
        return done

    def _linear_in(self, value: Value) -> list[tuple[object, Value]]:
        """Return the ways to see a value as a linear operation of one operand.

        Each is a key, equal for operations that can be taken after a sum, with that operand.
        """
        operation = value.operation
        if operation is None or self.uses[value] != 1:
            return []
        if operation.name == "dot_general":
            x, y = operation.operands
            attributes = operation.attributes.items()
            return [
                (("dot_general", 0, y, x.type, *attributes), x),
                (("dot_general", 1, x, y.type, *attributes), y),
            ]
        if operation.name == "mul":
            x, y = operation.operands
            return [(("mul", y), x), (("mul", x), y)] if x is not y else []
        if operation.name in _LINEAR:
            (x,) = operation.operands
            return [((operation.name, x.type, *operation.attributes.items()), x)]
        return []

    def _apply(self, operation: Operation, key: object, inner: Operand) -> Operand:
        if operation.name == "mul":
            factor = key[1]  # type: ignore[index]
            return mul(inner, self.made[factor])
        operands = [self.made[v] for v in operation.operands]
        operands[key[1] if operation.name == "dot_general" else 0] = inner  # type: ignore[index]
        return bind(primitives[operation.name], operands, operation.attributes)
