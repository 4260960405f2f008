"""Rules of operations that move and repeat elements; they move the same bits."""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.types import Attribute, Literal
from ...ops.lowering import Elementwise
from ...ops.primitive import primitives
from ..patterns import AttributePattern, Match, Pattern, Rule, attr, op, var

__all__ = ["MOVEMENT"]

X, Y = var("x"), var("y")
FULL = op("full", value=attr("value"))


def _shape(match: Match) -> Attribute:
    return match.type.shape


def _filled(name: str) -> Rule:
    """An array filled with a number stays one, however it is moved."""
    return Rule(
        f"{name} of full",
        op(name, FULL),
        op("full", value=attr("value"), shape=_shape),
    )


# --- identities -----------------------------------------------------------------------------


def _unchanged(match: Match) -> bool:
    return match.type == match.type_of("x")


def _identities() -> Iterator[Rule]:
    yield Rule("reshape to the same", op("reshape", X), X, _unchanged)
    yield Rule("broadcast to the same", op("broadcast", X), X, _unchanged)
    yield Rule(
        "transpose of nothing",
        op("transpose", X, permutation=attr("p")),
        X,
        lambda m: m.axes("p") == tuple(range(m.type.rank)),
    )
    yield Rule(
        "slice of everything",
        op("slice", X, start=attr("start"), stride=attr("stride")),
        X,
        lambda m: _unchanged(m) and not any(m.axes("start")) and set(m.axes("stride")) <= {1},
    )
    yield Rule(
        "pad by nothing",
        op("pad", X, var("filler"), low=attr("low"), interior=attr("interior")),
        X,
        lambda m: _unchanged(m) and not any(m.axes("low")) and not any(m.axes("interior")),
    )
    yield Rule("reverse of no axes", op("reverse", X, axes=()), X)
    yield Rule("concatenate of one", op("concatenate", X), X)
    for name in ("reduce_sum", "reduce_prod", "reduce_max", "reduce_min"):
        yield Rule(f"{name} over no axes", op(name, X, axes=()), X)


# --- joined movements -----------------------------------------------------------------------


def _composed_permutation(match: Match) -> Attribute:
    inner, outer = match.axes("p"), match.axes("q")
    return tuple(inner[i] for i in outer)


def _composed_dimensions(match: Match) -> Attribute:
    inner, outer = match.axes("d"), match.axes("e")
    return tuple(outer[i] for i in inner)


def _either_axes(match: Match) -> Attribute:
    return tuple(sorted(set(match.axes("a")) ^ set(match.axes("b"))))


def _wide_axes(shape: tuple[object, ...]) -> list[int]:
    return [i for i, size in enumerate(shape) if size != 1]


def _only_unit_axes_change(match: Match) -> bool:
    """Whether a reshape only adds or drops axes of size one."""
    before, after = match.type_of("x").shape, match["middle"]
    assert isinstance(after, tuple)
    return [before[i] for i in _wide_axes(before)] == [after[i] for i in _wide_axes(after)] and (
        len(_wide_axes(before)) == len(before)
    )


def _dimensions_through_reshape(match: Match) -> Attribute:
    middle, outer = match["middle"], match.axes("e")
    assert isinstance(middle, tuple)
    return tuple(outer[i] for i in _wide_axes(middle))


def _sums_own_axes(match: Match) -> bool:
    """Whether all summed axes are axes of the repeated array, none of them widened."""
    wide, inner = match["wide"], dict(zip(match.axes("d"), match.type_of("x").shape, strict=True))
    assert isinstance(wide, tuple)
    return all(a in inner and inner[a] == wide[a] for a in match.axes("a"))


def _own_axes(match: Match) -> Attribute:
    return tuple(match.axes("d").index(a) for a in match.axes("a"))


def _remaining_dimensions(match: Match) -> Attribute:
    summed = match.axes("a")
    return tuple(d - sum(a < d for a in summed) for d in match.axes("d") if d not in summed)


def _joined() -> Iterator[Rule]:
    yield Rule(
        "reshape of reshape",
        op("reshape", op("reshape", X)),
        op("reshape", X, shape=_shape),
    )
    yield Rule(
        "transpose of transpose",
        op("transpose", op("transpose", X, permutation=attr("p")), permutation=attr("q")),
        op("transpose", X, permutation=_composed_permutation),
    )
    yield Rule(
        "broadcast of broadcast",
        op("broadcast", op("broadcast", X, dimensions=attr("d")), dimensions=attr("e")),
        op("broadcast", X, shape=_shape, dimensions=_composed_dimensions),
    )
    yield Rule(
        "broadcast of a reshape by unit axes",
        op("broadcast", op("reshape", X, shape=attr("middle")), dimensions=attr("e")),
        op("broadcast", X, shape=_shape, dimensions=_dimensions_through_reshape),
        _only_unit_axes_change,
    )
    yield Rule(
        "sum of a repeat over axes of its own",
        op(
            "reduce_sum",
            op("broadcast", X, shape=attr("wide"), dimensions=attr("d")),
            axes=attr("a"),
        ),
        op(
            "broadcast",
            op("reduce_sum", X, axes=_own_axes),
            shape=_shape,
            dimensions=_remaining_dimensions,
        ),
        _sums_own_axes,
    )
    yield Rule(
        "reverse of reverse",
        op("reverse", op("reverse", X, axes=attr("a")), axes=attr("b")),
        op("reverse", X, axes=_either_axes),
    )
    for name in ("broadcast", "reshape", "transpose", "slice", "reverse"):
        yield _filled(name)
    yield Rule(
        "constant of equal elements",
        op("constant", value=attr("value")),
        op("full", value=_first_element, shape=_shape),
        _elements_equal,
    )


def _elements_equal(match: Match) -> bool:
    literal = match["value"]
    assert isinstance(literal, Literal)
    size = literal.dtype.itemsize
    return len(literal.data) > 0 and literal.data == literal.data[:size] * (
        len(literal.data) // size
    )


def _first_element(match: Match) -> Attribute:
    literal = match["value"]
    assert isinstance(literal, Literal)
    return Literal((), literal.dtype, literal.data[: literal.dtype.itemsize])


# --- repeats move behind elementwise work ---------------------------------------------------

# Attributes of elementwise primitives, which go along.
_ATTRIBUTES = {"integer_pow": ("exponent",), "convert": ("dtype",)}


def _inner_shape(match: Match) -> Attribute:
    return match.type_of("x").shape


def _hoists() -> Iterator[Rule]:
    """Work on repeated elements is done once, before the repeat."""
    x = op("broadcast", X, dimensions=attr("d"))
    y = op("broadcast", Y, dimensions=attr("d"))
    c = op("full", value=attr("value"))
    inner_c = op("full", value=attr("value"), shape=_inner_shape)

    def repeated(name: str, *operands: Pattern, **attributes: AttributePattern) -> Pattern:
        inner = op(name, *operands, **attributes)
        return op("broadcast", inner, shape=_shape, dimensions=attr("d"))

    for name, record in primitives.items():
        if not isinstance(record.lowering, Elementwise):
            continue
        more: dict[str, AttributePattern] = {key: attr(key) for key in _ATTRIBUTES.get(name, ())}
        count = len(record.samples[0].operands)
        if count == 1:
            yield Rule(f"{name} of a repeat", op(name, x, **more), repeated(name, X, **more))
        if count == 2:
            yield Rule(
                f"{name} of repeats",
                op(name, x, y),
                repeated(name, X, Y),
                lambda m: m.type_of("x").shape == m.type_of("y").shape,
            )
            yield Rule(f"{name} of repeat and full", op(name, x, c), repeated(name, X, inner_c))
            if not record.commutative:
                yield Rule(f"{name} of full and repeat", op(name, c, x), repeated(name, inner_c, X))


MOVEMENT: tuple[Rule, ...] = (*_identities(), *_joined(), *_hoists())
