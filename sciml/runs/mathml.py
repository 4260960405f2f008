"""Equations as MathML, in which a derivative is an index."""

from __future__ import annotations

from typing import Any


def mathml(expression: Any) -> str:
    """Return an expression equated to zero as a MathML element, u_xx for its derivatives.

    Parameters
    ----------
    expression : sympy expression
        A residual.

    Examples
    --------
    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> mathml(sympy.Function("u")(x).diff(x, 2))
    '<math><msub><mi>u</mi><mi>xx</mi></msub><mo>=</mo><mn>0</mn></math>'
    """
    from sympy.core.function import AppliedUndef
    from sympy.printing.mathml import MathMLPresentationPrinter

    class Printer(MathMLPresentationPrinter):  # type: ignore[misc]
        """sympy's, with short names of fields and their derivatives."""

        def _print_Derivative(self, derivative: Any) -> Any:
            indexed = self.dom.createElement("msub")
            indexed.appendChild(self._print(derivative.expr))
            letters = "".join(str(v) * int(n) for v, n in derivative.variable_count)
            indexed.appendChild(self._word(letters))
            return indexed

        def _print_Function(self, function: Any) -> Any:
            if isinstance(function, AppliedUndef):
                return self._word(function.func.__name__)
            return super()._print_Function(function)

        def _word(self, text: str) -> Any:
            element = self.dom.createElement("mi")
            element.appendChild(self.dom.createTextNode(text))
            return element

    printed = Printer()._print(expression).toxml()
    return f"<math>{printed}<mo>=</mo><mn>0</mn></math>"
