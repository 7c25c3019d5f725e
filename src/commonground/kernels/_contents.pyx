# cython: language_level=3, embedsignature=True
"""The compiled twin of contents.py."""

import numpy as np

from cpython.buffer cimport PyBUF_WRITE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_REFCNT
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from commonground.kernels.contents import LARGE
from commonground.kernels.newlines cimport count_newlines

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    int _PyBytes_Resize(PyObject **held, Py_ssize_t size) except -1

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    #if defined(__linux__)
    #include <sys/mman.h>
    #include <unistd.h>
    #endif

    /* Say that large pages are welcome; it is no matter whether there are any. */
    static void prefer_large_pages(char *start, size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
        uintptr_t first = ((uintptr_t) start + page - 1) / page * page;
        uintptr_t last = ((uintptr_t) start + size) / page * page;
        if (first < last)
            (void) madvise((void *) first, last - first, MADV_HUGEPAGE);
    #else
        (void) start;
        (void) size;
    #endif
    }

    /* Find the newlines before newlines from a place on, until there is no more room, and return how
       many were found. Compilers look at the bytes of a block all at once; few have two newlines in a
       row. */
    static int64_t find_blank_lines(
        const unsigned char *at, int64_t size, int64_t *from, int64_t *places, int64_t room
    ) {
        int64_t count = 0, start = *from;
        for (; start + 65 <= size && count + 64 <= room; start += 64) {
            unsigned char any = 0;
            for (int i = 0; i < 64; i++)
                any |= (at[start + i] == 10) & (at[start + i + 1] == 10);
            for (int i = 0; any && i < 64; i++)
                if (at[start + i] == 10 && at[start + i + 1] == 10)
                    places[count++] = start + i;
        }
        for (; start + 65 > size && start < size && count < room; start++)
            if (start + 1 < size && at[start] == 10 && at[start + 1] == 10)
                places[count++] = start;
        *from = start;
        return count;
    }
    """
    void prefer_large_pages(char *start, size_t size) noexcept nogil
    int64_t find_blank_lines(
        const unsigned char *at, int64_t size, int64_t *start, int64_t *places, int64_t room
    ) noexcept nogil


def contents(file, Py_ssize_t size, bytes before not None=b""):
    """Return some bytes, and behind them the next `size` bytes of a file, fewer at its end."""
    if size < 0:
        raise ValueError("fewer bytes than none")
    if size < LARGE:
        return before + file.read(size)
    cdef Py_ssize_t first = len(before)
    if size > PY_SSIZE_T_MAX - first:
        raise MemoryError
    cdef bytes result = PyBytes_FromStringAndSize(NULL, first + size)
    cdef char *start = PyBytes_AS_STRING(result)
    prefer_large_pages(start, first + size)
    memcpy(start, PyBytes_AS_STRING(before), first)
    view = PyMemoryView_FromMemory(start + first, size, PyBUF_WRITE)
    cdef Py_ssize_t done
    try:
        done = file.readinto(view) or 0  # a pipe that nobody has to wait for may have nothing
    finally:
        view.release()  # nobody can write into the bytes from here on
    if done == size:
        return result
    held = [result]
    result = None
    return shortened(held, first + done)


def parted(list held not None, Py_ssize_t place):
    """Take the last bytes from a list, and return them up to a place, and from there on."""
    cdef bytes whole = held.pop() if held else None
    if whole is None or not 0 <= place <= len(whole):
        raise ValueError("a place outside of the bytes")
    cdef bytes rest = whole[place:]
    held.append(whole)
    whole = None
    return shortened(held, place), rest


cdef bytes shortened(list held, Py_ssize_t size):
    # The first ones of the last bytes of a list; they stay where they are if nobody else has them.
    cdef bytes whole = held.pop()
    if Py_REFCNT(whole) != 1 or size == 0:
        return whole[:size]
    cdef PyObject *place = <PyObject *> whole
    Py_INCREF(whole)
    whole = None  # the one reference is that of `place` now
    _PyBytes_Resize(&place, size)
    result = <bytes> place
    Py_DECREF(result)
    return result


def blank_lines(const unsigned char[::1] data not None):
    """Return the places of all newlines that have another one behind them."""
    cdef int64_t start = 0, count
    cdef int64_t places[1024]
    cdef int64_t[::1] some
    found = [np.empty(0, np.int64)]
    while start < data.shape[0]:
        count = find_blank_lines(&data[0], data.shape[0], &start, places, 1024)
        some = <int64_t[:count]> places if count else found[0]
        found.append(np.array(some))
    return np.concatenate(found)


def lines(const unsigned char[::1] data not None):
    """Return how many newlines there are."""
    return count_newlines(<const char *> &data[0], data.shape[0]) if data.shape[0] else 0
