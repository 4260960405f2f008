"""What there is to choose from: shipped problems, and what a problem is made of."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from sciml.equations import CONDITIONS, EQUATIONS, PDE, CustomPDE, format_expression
from sciml.equations.declarations import declared
from sciml.geometry import SHAPES
from sciml.networks import NETWORKS
from sciml.training.balancers import BALANCERS
from sciml.training.stages import STAGES

_WIDTH = 100


def problems() -> Iterator[str]:
    """Yield a line for each problem that comes with the package."""
    from .catalogue import shipped

    entries = shipped()
    width = max(len(name) for name, _ in entries)
    for name, description in entries:
        yield f"{name:<{width}}  {description}"


def equations() -> Iterator[str]:
    """Yield for each equation its residuals, and symbol, unit and meaning of what they hold.

    One's own equation comes last, with its keys.
    """
    for name, kind in EQUATIONS.items():
        yield f"{name}: {_headline(kind)}"
        pde = kind.symbolic()
        for residual in pde.residuals().values():
            text = f"{format_expression(residual)} = 0"
            yield from textwrap.wrap(
                text, _WIDTH, initial_indent="  ", subsequent_indent="    ",
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
        yield from _wrapped("coordinates", _units(pde, [str(c) for c in pde.coordinates]))
        yield from _wrapped("fields", _units(pde, [f.func.__name__ for f in pde.fields]))
        yield from _wrapped("derived", _units(pde, list(pde.derived())))
        yield from _wrapped(
            "coefficients",
            [
                f"{key}: {d.symbol} [{d.unit}]" + _meaning(key, d.meaning)
                for key, d in declared(kind).items()
            ],
        )
        yield from _wrapped("choices", _choices(kind))
    yield from _documented({"CustomPDE": CustomPDE})


def geometries() -> Iterator[str]:
    """Yield for each shape its first line of documentation, and its sizes with their units."""
    yield from _documented(SHAPES)


def conditions() -> Iterator[str]:
    """Yield for each condition its formula, and its keys with their meaning and units."""
    yield from _documented(CONDITIONS)


def networks() -> Iterator[str]:
    """Yield for each network its first line of documentation, and its keys."""
    yield from _documented(NETWORKS)


def stages() -> Iterator[str]:
    """Yield for each stage of a schedule its first line of documentation, and its keys."""
    yield from _documented(STAGES)


def balancers() -> Iterator[str]:
    """Yield for each balancer of loss weights its first line of documentation, and its keys."""
    yield from _documented(BALANCERS)


LISTINGS: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {
        "problems": problems,
        "equations": equations,
        "geometries": geometries,
        "conditions": conditions,
        "networks": networks,
        "stages": stages,
        "balancers": balancers,
    }
)


def _documented(table: Mapping[str, type]) -> Iterator[str]:
    for name, kind in table.items():
        yield f"{name}: {_headline(kind)}"
        meanings = parameters(kind)
        for field in dataclasses.fields(kind):
            if field.init:
                text = f"{field.name}{_default(field)}: {meanings.get(field.name, '')}"
                yield from textwrap.wrap(
                    text, _WIDTH, initial_indent="  ", subsequent_indent="    "
                )


def parameters(kind: type) -> dict[str, str]:
    """Return the meaning of each parameter that a class, or one it inherits from, documents."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _stated(base.__doc__ or "")
    return found


def _stated(docstring: str) -> dict[str, str]:
    section = inspect.cleandoc(docstring).partition("Parameters\n----------\n")[2]
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section.partition("\n\n")[0].splitlines():
        if line.startswith(" "):
            for name in names:
                found[name] = f"{found[name]} {line.strip()}".strip()
        else:
            names = [name.strip() for name in line.partition(" : ")[0].split(",")]
            found |= dict.fromkeys(names, "")
    return found


def _headline(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")


def _units(pde: PDE, names: list[str]) -> list[str]:
    units = pde.units()
    return [f"{name} [{units[name]}]" for name in names]


def _meaning(key: str, meaning: str) -> str:
    return "" if meaning in ("", key.replace("_", " ")) else f" {meaning}"


def _choices(kind: type) -> list[str]:
    known = declared(kind)
    return [f"{f.name}{_default(f)}" for f in dataclasses.fields(kind) if f.name not in known]


def _default(field: dataclasses.Field[object]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f" = {_written(field.default_factory())}"
    if field.default is dataclasses.MISSING:
        return ""
    return f" = {_written(field.default)}"


def _written(value: object) -> str:
    """Return a value as it is written in YAML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _wrapped(title: str, entries: list[str]) -> Iterator[str]:
    if entries:
        yield from textwrap.wrap(
            f"{title}: {'; '.join(entries)}", _WIDTH, initial_indent="  ", subsequent_indent="    "
        )
