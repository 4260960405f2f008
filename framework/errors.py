"""Every error and warning the project raises on purpose.

Each message names what was got, what was expected, where, and what to do.
"""

from __future__ import annotations


class ScimlError(Exception):
    """Base class: catching it catches every error raised on purpose by sciml."""


class ShapeError(ScimlError, ValueError):
    """Operand shapes do not fit an operation."""


class DtypeError(ScimlError, TypeError):
    """Operand element types do not fit an operation."""


class TraceError(ScimlError, TypeError):
    """A Python function did something with a traced value that has no meaning in a Program."""


class DifferentiationError(ScimlError, TypeError):
    """A derivative does not exist, is not defined, or was asked of something independent."""


class VerifyError(ScimlError, ValueError):
    """A Program breaks a structural rule of the IR."""


class ParseError(ScimlError, ValueError):
    """Text is not a valid Program or expression; the message gives line and column."""


class RegistryError(ScimlError, TypeError):
    """A record (primitive, shape, equation) lacks a rule or is registered twice."""


class LoweringError(ScimlError, NotImplementedError):
    """A back end has no kernel for an operation."""


class MissingPackageError(ScimlError, ImportError):
    """A package that only some functions need is not installed."""


class GeometryError(ScimlError, ValueError):
    """A shape, part or sampling request is not valid."""


class EquationError(ScimlError, ValueError):
    """A residual or condition is not valid, or names an unknown field, coordinate or part."""


class ConfigError(ScimlError, ValueError):
    """A configuration is not valid; the message gives file, line, key and nearest valid name."""


class OutputError(ScimlError, OSError):
    """The run folder cannot be written."""


class CheckpointError(ScimlError, ValueError):
    """A checkpoint is missing, truncated, corrupted or of another problem."""


class NonFiniteError(ScimlError, ArithmeticError):
    """A NaN or infinity appeared; the message names constraint, step and first operation."""


class PrecisionWarning(UserWarning):
    """Digits will be lost (for example float32 with a derivative of order three or more)."""


class ProblemWarning(UserWarning):
    """A problem is stated so that its solution is not unique, or may not exist."""


class ConvergenceWarning(UserWarning):
    """Training ended before the equation or a condition holds to a few per cent."""


class DomainWarning(UserWarning):
    """A solution is evaluated where the problem does not hold."""


class UnusedInputWarning(UserWarning):
    """A parameter does not influence the result, so its gradient is zero."""
