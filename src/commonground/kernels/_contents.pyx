# cython: language_level=3, embedsignature=True
"""The compiled twin of contents.py."""

from cpython.buffer cimport PyBUF_WRITE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.memoryview cimport PyMemoryView_FromMemory

from commonground.kernels.contents import LARGE

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
    """
    void prefer_large_pages(char *start, size_t size) noexcept nogil


def contents(file, Py_ssize_t size):
    """Return the next `size` bytes of a file, fewer at its end."""
    if size < 0:
        raise ValueError("fewer bytes than none")
    if size < LARGE:
        return file.read(size)
    cdef bytes result = PyBytes_FromStringAndSize(NULL, size)
    cdef char *start = PyBytes_AS_STRING(result)
    prefer_large_pages(start, size)
    view = PyMemoryView_FromMemory(start, size, PyBUF_WRITE)
    cdef Py_ssize_t done
    try:
        done = file.readinto(view) or 0  # a pipe that nobody has to wait for may have nothing
    finally:
        view.release()  # nobody can write into the bytes from here on
    return result if done == size else result[:done]
