"""The page of a run."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sciml.cli.commands import run_cli

CONFIG = """\
name: tiny
description: A plate & its <load>.
geometry: {type: Rectangle}
pde: {type: KirchhoffPlate, load: sin(pi*x)*sin(pi*y)}
conditions: [{type: SimplySupported, part: edges}]
network: {type: MLP, hidden: [6]}
points: {interior: 40, boundary: 24}
solver: {threads: 1, schedule: [{type: Adam, steps: 3}, {type: LBFGS, steps: 3}]}
validation: {reference: {type: SinePlate}, grid: 9}
outputs: {fields: false}
"""
VOID = {"meta", "img"}


class Tags(HTMLParser):
    """Collects titles and images, and checks that what opens is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.titles: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.sources.append(dict(attrs)["src"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("h1", "h2"):
            self.titles.append(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report")
    (place / "tiny.yaml").write_text(CONFIG)
    words = ["run", str(place / "tiny.yaml"), "--output", str(place / "a"), "--quiet"]
    assert run_cli(words) == 0
    return place / "a"


def test_the_page_has_its_sections_and_needs_no_other_file(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.titles == [
        "tiny", "Result", "Equation", "Conditions", "Geometry", "Network and points", "Training",
        "Pictures", "Time", "Environment", "Configuration",
    ]  # fmt: skip
    start = "data:image/png;base64,"
    pictures = [base64.b64decode(source.removeprefix(start)) for source in tags.sources]
    assert len(pictures) == 4
    assert pictures[1:] == [
        (folder / "figures" / f"{n}.png").read_bytes() for n in ("M_x", "loss", "w")
    ]
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "A plate &amp; its &lt;load&gt;." in page


def test_its_numbers_are_those_of_the_result(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    result = json.loads((folder / "result.json").read_text())
    for name, error in result["errors"].items():
        assert f"<td>{name}</td><td>{error['relative_l2']:.2e}</td>" in page
    assert f"Final loss {result['loss']:.3e}" in page
    assert page.count("the step limit was reached") == 2
    assert "hard  edges: w = 0" in page
    assert "<msub><mi>w</mi><mi>xxxx</mi></msub>" in page
