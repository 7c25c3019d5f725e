from commonground.kernels.word_alignment import Doubles, Floats, Offsets, Words

def number_pairs(
    source: Words, source_offsets: Offsets, target: Words, target_offsets: Offsets, types: int
) -> tuple[Words, Offsets, Offsets, Words]: ...
def expected(
    pairs: tuple[Words, Offsets],
    words: Words,
    offsets: Offsets,
    prob: Floats,
    null_prob: Floats,
    jumps: Doubles | None,
    empty: float,
    turned: bool,
    first: int,
    last: int,
    out: Floats,
    null_out: Floats,
    jump_counts: Doubles,
) -> float: ...
def add(counts: Floats, cells: Words, values: Floats) -> None: ...
def shares(counts: Floats, groups: Words, kinds: int, smoothing: float, prob: Floats) -> None: ...
def best(
    cell_offsets: Offsets,
    offsets: Offsets,
    turned: bool,
    first: int,
    last: int,
    links: Floats,
    none: Floats,
) -> Words: ...
def symmetrise(
    forward: Words, target_offsets: Offsets, backward: Words, source_offsets: Offsets, way: int
) -> tuple[Words, Words, Offsets]: ...
