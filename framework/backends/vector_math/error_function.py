"""erf."""

from __future__ import annotations

from .exponential import reduce
from .lanes import Lanes, horner

# erf(x) = x + x P(x^2) on |x| <= 1, relative error 2^-56.9 (f64), 2^-29.6 (f32).
INNER = {
    "f64": (
        0.12837916709551256, -0.3761263890318352, 0.11283791670944186, -0.02686617064311174,
        0.005223977606120639, -0.0008548325929412078, 0.00012055293579572081,
        -1.492471234799152e-05, 1.6447132070523113e-06, -1.620631706773667e-07,
        1.3710992581625616e-08, -7.779487490170266e-10,
    ),
    "f32": (
        0.12837916612625122, -0.3761262595653534, 0.1128358542919159, -0.026853812858462334,
        0.005188330076634884, -0.0008010212332010269, 7.853916758904234e-05,
    ),
}  # fmt: skip
# exp(x^2) erfc(x) = Q(t), t = (x - 2)/(x + 2), 1 <= x <= 6 (f64) or 4 (f32); error in erf
# 2^-60.9 and 2^-30.8.
OUTER = {
    "f64": (
        0.25539567631050575, -0.4271858474139582, 0.24165819424244783, -0.07897858101593598,
        0.0037328924055688266, 0.0069974617561905155, -0.0008471432775702503,
        -0.000981977575043627, 4.3555827156843086e-05, 0.00017437016562075195,
        2.7524304850675478e-05, -2.7661716631105184e-05, -1.3951741942326015e-05,
        1.7971148426759513e-06, 3.6257251375089214e-06, 2.6246782643684406e-07,
    ),
    "f32": (
        0.25539571046829224, -0.42718520760536194, 0.24166016280651093, -0.0790003165602684,
        0.0036254371516406536, 0.007050863467156887,
    ),
}  # fmt: skip
CENTRE = 2.0
# erf is 1 to the last bit above these.
ONE = {"f64": 6.0, "f32": 4.0}


def erf(x: Lanes) -> Lanes:
    """erf(x) = x + x P(x^2) inside, 1 - exp(-x^2) Q((x - 2)/(x + 2)) outside [-1, 1]."""
    name = x.format.name
    size = x.abs().clamp(high=ONE[name])
    square = size * size
    inner = size + size * horner(square, INNER[name])
    reduced = reduce(-square)
    decay = 1.0 + (reduced.r + reduced.tail())
    power = ((reduced.shifted << x.format.mantissa) + x.format.one_bits).floats()
    ratio = horner((size - CENTRE) / (size + CENTRE), OUTER[name])
    outer = 1.0 - (decay * power) * ratio
    return inner.where(size < 1.0, outer).with_sign_of(x)
