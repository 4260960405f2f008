"""`report.html`: a run on one page that needs no other file."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from sciml.training.atomic import write_text

from . import figures
from .config import RunConfig
from .environment import sessions_of
from .folder import RunFolder
from .mathml import mathml
from .record import tables
from .summary import sections

_DRAWN = 3
_TIMES = ("wall_time_s", "training_time_s", "compile_time_s")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222}h1{margin-bottom:0}h2{border-bottom:1px solid #ddd;margin-top:2rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;"
    "border-bottom:1px solid #eee}td:first-child,th:first-child{text-align:left;padding-left:0}"
    "pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.85rem}"
    "img{max-width:100%}math{font-size:1.15rem}"
)


def write(folder: RunFolder, config: RunConfig, content: Mapping[str, Any]) -> None:
    """Write the report of a finished run, with the pictures that its folder holds.

    Parameters
    ----------
    folder : RunFolder
        Where.
    config : RunConfig
        The resolved configuration.
    content : Mapping
        As in ``result.json``.

    Raises
    ------
    OutputError
        When it cannot be written.
    """
    write_text(folder.report, page(folder, config, content))


def page(folder: RunFolder, config: RunConfig, content: Mapping[str, Any]) -> str:
    """Return the text of the page."""
    body = "\n".join(_body(folder, config, content))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>'
        f"{escape(config.name)}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n"
        "</body></html>\n"
    )


def _body(folder: RunFolder, config: RunConfig, content: Mapping[str, Any]) -> Iterator[str]:
    words = {title: list(lines) for title, lines in sections(config)}
    yield f"<h1>{escape(config.name)}</h1>"
    yield f"<p>{escape(config.description)}</p>"
    yield "<h2>Result</h2>"
    for result in tables(content):
        yield f"<p>{escape(result.title)}</p>"
        yield _table(result.header, result.rows)
    for name, value in content["identified"].items():
        yield f"<p>{escape(name)} = {value:.6g} was found.</p>"
    yield "<h2>Equation</h2>"
    for residual in config.problem.pde.residuals().values():
        yield f"<p>{mathml(residual)}</p>"
    yield f"<p>{escape(words['equation'][-1])}</p>"
    yield "<h2>Conditions</h2>" + _lines(words["conditions"])
    yield "<h2>Geometry</h2>" + _lines(words["geometry"])
    if config.geometry.dimension <= _DRAWN:
        yield _picture(figures.png(config.geometry.plot()), "the domain and its parts")
    yield from _searched(content["search"]) if "search" in content else _trained(words, content)
    if folder.figures.is_dir():
        yield "<h2>Pictures</h2>"
        for path in sorted(folder.figures.glob("*.png")):
            yield f"<h3>{escape(path.stem)}</h3>" + _picture(path.read_bytes(), path.stem)
    yield "<h2>Time</h2>"
    times = [name for name in _TIMES if name in content]
    yield _table(("", "s"), [(name[:-2].replace("_", " "), f"{content[name]:.2f}")
                             for name in times])  # fmt: skip
    yield "<h2>Environment</h2>"
    yield _lines([json.dumps(sessions_of(folder.environment), indent=1)])
    yield "<h2>Configuration</h2>" + _lines([folder.config.read_text(encoding="utf-8")])


def _trained(words: Mapping[str, Sequence[str]], content: Mapping[str, Any]) -> Iterator[str]:
    yield "<h2>Network and points</h2>"
    yield _lines([*words["network"], *words["points"], *words["derivative plan"]])
    yield "<h2>Training</h2>"
    yield _table(
        ("stage", "steps", "evaluations", "loss", "stopped because"),
        [
            (s["optimiser"], str(s["steps"]), str(s["evaluations"]), f"{s['loss']:.3e}",
             s["stop_reason"])
            for s in content["stages"]
        ],
    )  # fmt: skip
    yield f"<p>Final loss {content['loss']:.3e}; mean squared residuals:</p>"
    yield _table(
        ("part", "unweighted loss"),
        [(name, f"{value:.3e}") for name, value in content["loss_parts"].items()],
    )


def _searched(search: Mapping[str, Any]) -> Iterator[str]:
    yield "<h2>Search</h2>"
    word = "reached" if search["reached"] else "not reached"
    yield f"<p>Tolerance {search['tolerance']:g}: {word}. The solution is that marked *.</p>"
    yield _table(
        ("", "method", "unknowns", "estimated error", "residual", "s"),
        [
            ("*" if i == search["best"] else "", a["method"], str(a["unknowns"]),
             f"{a['error']:.1e}" if math.isfinite(a["error"]) else "", f"{a['residual']:.1e}",
             f"{a['seconds']:.1f}")
            for i, a in enumerate(search["attempts"])
        ],
    )  # fmt: skip


def _lines(lines: Sequence[str]) -> str:
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _picture(content: bytes, words: str) -> str:
    data = base64.b64encode(content).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row(cells: Sequence[str], kind: str) -> str:
        return f"<tr>{''.join(f'<{kind}>{escape(c)}</{kind}>' for c in cells)}</tr>"

    return "\n".join(["<table>", row(header, "th"), *(row(r, "td") for r in rows), "</table>"])
