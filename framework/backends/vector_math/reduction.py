"""Reduction of trigonometric arguments, right over the whole range.

Moderate arguments: subtract n times a three-part constant (Cody and Waite, 1980). The first two
parts are short enough that n times them is exact, so fused and unfused evaluation agree.

Large arguments: multiply by the bits of 2/pi that matter for that exponent (Payne and Hanek,
1983), in integers, lane by lane; taken only when a lane is large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from llvmlite import ir

from .formats import F64, Format
from .lanes import Bits, Lanes, Mask, lanes_type

# pi in three parts; the first two are multiples of 2^-38 and 2^-78 (f64), 2^-16 and 2^-34 (f32).
PI_PARTS = {
    "f64": (3.1415926535883045, 1.488709496096051e-12, 1.27366343270219e-24),
    "f32": (3.1415863037109375, 6.3498737290501595e-06, 5.126688136514179e-12),
}
# |n| (counting halves) stays below 2^13 (f64) and 2^6 (f32) for arguments below these.
LIMIT = {"f64": 12800.0, "f32": 100.0}
INVERSE_PI = 0.3183098861837907
PI = 3.141592653589793
HALF_PI = 1.5707963267948966

# floor(2^1280 * 2/pi), and pi/4 * 2^64.
TWO_OVER_PI = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e0"
    "06492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f4"
    "9c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d"
    "7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6babf0cfbc209af4361d",
    16,
)
QUARTER_PI_WORD = 0xC90FDAA22168C235
WORDS = 1280 // 64


@dataclass(frozen=True)
class Turned:
    """x = (n + offset) unit + r + rest; `count` holds n in its low bits."""

    r: Lanes
    rest: Lanes
    count: Bits


def cody_waite(x: Lanes, unit: float, offset: float) -> Turned:
    """Subtract the nearest (n + offset) * unit, unit = pi or pi/2; right for |x| < LIMIT unit/pi.

    Each difference is exact or its error is carried: close to a multiple of the unit both
    subtractions cancel without rounding, elsewhere the fast two-sum catches the error.
    """
    format = x.format
    first, second, third = (part * (unit / PI) for part in PI_PARTS[format.name])
    scaled = x * (INVERSE_PI * (PI / unit))
    shifted = (scaled - offset).plus(format.magic) if offset else scaled + format.magic
    n = shifted.minus(format.magic)
    n = n.plus(offset) if offset else n
    exact = x - n * first
    short = exact - n * second
    error = exact.minus(short) - n * second
    low = n * third - error
    r = short.minus(low)
    rest = short.minus(r).minus(low)
    return Turned(r, rest, shifted.bits())


def _table(module: ir.Module) -> ir.GlobalVariable:
    """The words of 2/pi, most significant first, after one word of zeros."""
    name = "sciml_two_over_pi"
    if name in module.globals:
        return module.globals[name]
    mask = (1 << 64) - 1
    words = [0, *((TWO_OVER_PI >> (64 * (WORDS - 1 - i))) & mask for i in range(WORDS))]
    kind = ir.ArrayType(F64.integer, len(words))
    table = ir.GlobalVariable(module, kind, name)
    table.initializer = ir.Constant(kind, words)
    table.linkage = "internal"
    table.global_constant = True
    return table


def _payne_hanek(builder: ir.IRBuilder, x: ir.Value) -> tuple[ir.Value, ir.Value]:
    """r and n (i64) with x = n pi/2 + r, |r| <= pi/4, for a finite scalar double |x| >= 2^5.

    x = m 2^e with an integer m < 2^53. Of 2/pi only bits of weight 2^(1-e) and less change the
    quotient modulo four; 192 of them leave an error below 2^-126 in the fraction, and no double
    is closer than 2^-62 to a multiple of pi/2.
    """
    word, double = F64.integer, ir.IntType(128)

    def w(number: int) -> ir.Constant:
        return ir.Constant(word, number)

    def d(number: int) -> ir.Constant:
        return ir.Constant(double, number & ((1 << 128) - 1))

    bits = builder.bitcast(x, word)
    biased = builder.and_(builder.lshr(bits, w(52)), w(0x7FF))
    m = builder.or_(builder.and_(bits, w((1 << 52) - 1)), w(1 << 52))
    # First bit that matters, counted from the start of the table: (e - 2) + 64.
    start = builder.sub(biased, w(1075 + 2 - 64))
    index, shift = builder.lshr(start, w(6)), builder.and_(start, w(63))
    table = _table(builder.module)
    loaded = []
    for step in range(4):
        place = builder.gep(table, [w(0), builder.add(index, w(step))], inbounds=True)
        loaded.append(builder.zext(builder.load(place), double))
    wide_shift = builder.zext(shift, double)
    window = []
    for high, low in pairwise(loaded):
        pair = builder.or_(builder.shl(high, d(64)), low)
        window.append(builder.lshr(builder.shl(pair, wide_shift), d(64)))
    wide_m = builder.zext(m, double)
    top, middle, bottom = (builder.mul(wide_m, part) for part in window)
    turns = builder.add(
        builder.shl(top, d(64)), builder.add(middle, builder.lshr(bottom, d(64)))
    )  # two bits of quadrant, then the fraction
    n = builder.lshr(builder.add(turns, d(1 << 125)), d(126))
    fraction = builder.shl(turns, d(2))
    below = builder.icmp_signed("<", fraction, d(0))
    magnitude = builder.select(below, builder.sub(d(0), fraction), fraction)
    zeros = builder.ctlz(magnitude, ir.Constant(ir.IntType(1), 0))
    normal = builder.lshr(builder.shl(magnitude, zeros), d(64))
    product = builder.lshr(builder.mul(normal, d(QUARTER_PI_WORD)), d(64))
    angle = builder.uitofp(builder.trunc(product, word), x.type)  # r 2^(zeros + 63)
    exponent = builder.sub(w(1023 - 63), builder.trunc(zeros, word))
    r = builder.fmul(angle, builder.bitcast(builder.shl(exponent, w(52)), x.type))
    negative = builder.icmp_signed("<", bits, w(0))
    flip = builder.xor(negative, below)
    r = builder.select(flip, builder.fneg(r), r)
    count = builder.trunc(n, word)
    count = builder.select(negative, builder.sub(w(0), count), count)
    return r, count


def _large_function(module: ir.Module, format: Format) -> ir.Function:
    """void (ptr x, ptr r, ptr n, iN lanes, float limit): fill r and n where |x| >= limit."""
    name = f"sciml_reduce_large_{format.name}"
    if name in module.globals:
        return module.globals[name]
    scalar, integer, index = format.scalar, format.integer, ir.IntType(64)
    signature = ir.FunctionType(
        ir.VoidType(),
        [scalar.as_pointer(), scalar.as_pointer(), integer.as_pointer(), index, scalar],
    )
    function = ir.Function(module, signature, name)
    function.linkage = "internal"
    for attribute in ("noinline", "cold", "nounwind"):
        function.attributes.add(attribute)
    x_place, r_place, n_place, lanes, limit = function.args
    entry, loop, work, store, following, done = (
        function.append_basic_block(label)
        for label in ("entry", "loop", "work", "store", "next", "done")
    )
    builder = ir.IRBuilder(entry)
    builder.branch(loop)
    builder.position_at_end(loop)
    lane = builder.phi(index)
    lane.add_incoming(ir.Constant(index, 0), entry)
    x = Lanes(builder, builder.load(builder.gep(x_place, [lane])), format)
    small = x.abs() < Lanes(builder, limit, format)
    finite = x.abs() < float("inf")
    builder.cbranch(small.value, following, work)
    builder.position_at_end(work)
    safe = x.where(finite, x.constant(1024.0))
    wide = safe if format is F64 else safe.to_double()
    angle, count = _payne_hanek(builder, wide.value)
    builder.branch(store)
    builder.position_at_end(store)
    r = Lanes(builder, angle, F64)
    r = r if format is F64 else r.to_single()
    r = r.where(finite, r.constant(float("nan")))
    builder.store(r.value, builder.gep(r_place, [lane]))
    count = count if format is F64 else builder.trunc(count, integer)
    builder.store(count, builder.gep(n_place, [lane]))
    builder.branch(following)
    builder.position_at_end(following)
    advanced = builder.add(lane, ir.Constant(index, 1))
    lane.add_incoming(advanced, following)
    builder.cbranch(builder.icmp_unsigned("<", advanced, lanes), loop, done)
    builder.position_at_end(done)
    builder.ret_void()
    return function


def large_quadrants(x: Lanes) -> tuple[Lanes, Bits]:
    """r, n with x = n pi/2 + r in the lanes beyond the float64 limit; zeros elsewhere."""
    builder, format = x.builder, x.format
    floats, integers = x.value.type, lanes_type(format.integer, x.value.type)
    with builder.goto_entry_block():
        places = [builder.alloca(kind) for kind in (floats, floats, integers)]
    builder.store(x.value, places[0])
    builder.store(ir.Constant(floats, None), places[1])
    builder.store(ir.Constant(integers, None), places[2])
    elements = (format.scalar, format.scalar, format.integer)
    pointers = [
        builder.bitcast(place, element.as_pointer())
        for place, element in zip(places, elements, strict=True)
    ]
    count = floats.count if isinstance(floats, ir.VectorType) else 1
    lanes = ir.Constant(ir.IntType(64), count)
    limit = ir.Constant(format.scalar, LIMIT["f64"] / 2)
    builder.call(_large_function(builder.module, format), [*pointers, lanes, limit])
    r = Lanes(builder, builder.load(places[1]), format)
    return r, Bits(builder, builder.load(places[2]), format)


def beyond(x: Lanes, limit: float) -> Mask:
    """|x| >= limit, or NaN."""
    return ~(x.abs() < limit)


def patched(
    mask: Mask, quick: tuple[Lanes | Bits, ...], slow: Callable[[], tuple[Lanes | Bits, ...]]
) -> list[ir.Value]:
    """`quick`, with slow() in the lanes of `mask`; slow's code runs only if a lane is set."""
    builder = mask.builder
    before = builder.block
    with builder.if_then(mask.any(), likely=False):
        replaced = [
            builder.select(mask.value, new.value, old.value)
            for new, old in zip(slow(), quick, strict=True)
        ]
        inside = builder.block
    merged = []
    for new, old in zip(replaced, quick, strict=True):
        phi = builder.phi(old.value.type)
        phi.add_incoming(old.value, before)
        phi.add_incoming(new, inside)
        merged.append(phi)
    return merged


def tiers(
    x: Lanes,
    unit: float,
    offset: float,
    finish: Callable[[Lanes, Lanes, Bits], tuple[Lanes | Bits, ...]],
    large: Callable[[], tuple[Lanes | Bits, ...]],
) -> list[ir.Value]:
    """finish(r, rest, count) of the cheapest right reduction; large() beyond all of them.

    float32 has a middle tier that subtracts in float64.
    """
    scale = unit / PI
    fast = cody_waite(x, unit, offset)
    quick = finish(fast.r, fast.rest, fast.count)
    if x.format is F64:
        return patched(beyond(x, LIMIT["f64"] * scale), quick, large)

    def middle() -> tuple[Lanes | Bits, ...]:
        wide = cody_waite(x.to_double(), unit, offset)
        found = finish(wide.r.to_single(), x.constant(0.0), wide.count.narrow())
        values = patched(beyond(x, LIMIT["f64"] * scale), found, large)
        return tuple(replace(like, value=value) for like, value in zip(found, values, strict=True))

    return patched(beyond(x, LIMIT["f32"] * scale), quick, middle)
