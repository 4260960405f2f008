"""What there is to choose from: shipped problems, equations, geometries and conditions."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from sciml.equations import CONDITIONS, EQUATIONS, PDE, format_expression
from sciml.equations.declarations import declared
from sciml.geometry import SHAPES

_WIDTH = 100


def problems() -> Iterator[str]:
    """Yield a line for each problem that comes with the package."""
    from .catalogue import shipped

    entries = shipped()
    width = max(len(name) for name, _ in entries)
    for name, description in entries:
        yield f"{name:<{width}}  {description}"


def equations() -> Iterator[str]:
    """Yield for each equation its residuals, and symbol, unit and meaning of what they hold."""
    for name, kind in EQUATIONS.items():
        yield f"{name}: {_headline(kind)}"
        pde = kind.symbolic()
        for residual in pde.residuals().values():
            text = f"{format_expression(residual)} = 0"
            yield from textwrap.wrap(
                text, _WIDTH, initial_indent="  ", subsequent_indent="    ",
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
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


def geometries() -> Iterator[str]:
    """Yield for each shape its first line of documentation and its sizes."""
    yield from _documented(SHAPES)


def conditions() -> Iterator[str]:
    """Yield for each condition its formula and its keys."""
    yield from _documented(CONDITIONS)


LISTINGS: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {
        "problems": problems,
        "equations": equations,
        "geometries": geometries,
        "conditions": conditions,
    }
)


def _documented(table: Mapping[str, type]) -> Iterator[str]:
    for name, kind in table.items():
        yield f"{name}: {_headline(kind)}"
        keys = [f for f in dataclasses.fields(kind) if f.init]
        yield from _wrapped("keys", [f"{f.name}{_default(f)}" for f in keys])


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
    if field.default is dataclasses.MISSING:
        return ""
    return f" = {field.default}"


def _wrapped(title: str, entries: list[str]) -> Iterator[str]:
    if entries:
        yield from textwrap.wrap(
            f"{title}: {'; '.join(entries)}", _WIDTH, initial_indent="  ", subsequent_indent="    "
        )
