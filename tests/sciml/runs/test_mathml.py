"""Equations as MathML."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from sciml.equations import EQUATIONS, Poisson
from sciml.runs.mathml import mathml


def test_derivatives_are_indices() -> None:
    (residual,) = Poisson(source="x", dimension=1).residuals().values()
    text = mathml(residual)
    assert "<msub><mi>u</mi><mi>xx</mi></msub>" in text
    assert text.endswith("<mo>=</mo><mn>0</mn></math>")


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_equation_is_written(name: str) -> None:
    for residual in EQUATIONS[name].symbolic().residuals().values():
        text = mathml(residual)
        for entity in ("pi", "InvisibleTimes", "ExponentialE", "ImaginaryI"):
            text = text.replace(f"&{entity};", "")
        assert "&#x2202;" not in text
        assert ElementTree.fromstring(text).tag == "math"
