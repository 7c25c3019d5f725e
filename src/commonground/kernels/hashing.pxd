# The hashes of rows by templates, for kernels that score rows: see linear.py for what they are.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t


cdef inline str wrong_rows(
    const int32_t[:, ::1] words,
    const int32_t[:, ::1] at,
    const int32_t[:, ::1] more,
    const int32_t[:, ::1] atom,
    const int32_t[::1] start,
    const int32_t[::1] part,
    int bits,
):
    """Return what would read outside of the tables; the empty string where nothing does."""
    cdef Py_ssize_t number, row
    cdef int64_t lowest, highest, place
    cdef Py_ssize_t anchor, known = -1
    if bits < 1 or bits > 30:
        return "a table of weights has from 1 to 30 bits"
    if more.shape[0] != at.shape[0]:
        return "the columns differ in length"
    if atom.shape[1] != 3 or start.shape[0] == 0 or start[0] != 0:
        return "templates that do not cover their atoms"
    for number in range(1, start.shape[0]):
        if start[number] < start[number - 1]:
            return "templates that do not cover their atoms"
    if start[start.shape[0] - 1] != part.shape[0]:
        return "templates that do not cover their atoms"
    for number in range(part.shape[0]):
        if part[number] < 0 or part[number] >= atom.shape[0]:
            return "a template with an unknown atom"
    lowest = highest = 0
    for number in range(atom.shape[0]):
        anchor = atom[number, 0]
        if anchor >= at.shape[1] or (
            anchor < 0 and not 0 <= atom[number, 2] < more.shape[1]
        ):
            return "an atom of an unknown anchor or extra"
        if anchor < 0:
            continue
        if not 0 <= atom[number, 2] < words.shape[1]:
            return "an atom of an unknown attribute"
        if not at.shape[0]:
            continue
        if anchor != known:
            known, lowest, highest = anchor, at[0, anchor], at[0, anchor]
            for row in range(at.shape[0]):
                place = at[row, anchor]
                lowest = place if place < lowest else lowest
                highest = place if place > highest else highest
        if lowest + atom[number, 1] < 0 or highest + atom[number, 1] >= words.shape[0]:
            return "an atom outside of the text"
    return ""


cdef inline void mixed_into(
    Py_ssize_t row,
    const int32_t[:, ::1] words,
    const int32_t[:, ::1] at,
    const int32_t[:, ::1] more,
    const int32_t[:, ::1] atom,
    const int32_t[::1] start,
    const int32_t[::1] part,
    uint64_t[::1] value,
    uint64_t[::1] hashes,
) noexcept nogil:
    """Find the hashes of one row."""
    cdef Py_ssize_t number, template
    cdef uint64_t mixed
    for number in range(atom.shape[0]):
        if atom[number, 0] < 0:
            value[number] = <uint32_t>more[row, atom[number, 2]]
        else:
            value[number] = <uint32_t>words[at[row, atom[number, 0]] + atom[number, 1], atom[number, 2]]
    for template in range(start.shape[0] - 1):
        mixed = <uint64_t>(template + 1) * <uint64_t> 0x9E3779B97F4A7C15
        for number in range(start[template], start[template + 1]):
            mixed = (mixed ^ value[part[number]]) * <uint64_t> 0x9E3779B97F4A7C15
            mixed ^= mixed >> 29
        hashes[template] = mixed * <uint64_t> 0x9E3779B97F4A7C15
