cimport cython

from commonground.schemes.tree cimport Tree as TreeType

cpdef bint has_label(label, tuple patterns)

@cython.locals(tags=list, head=Py_ssize_t, key=tuple, candidates=list, tests=list)
cdef _translated(translation, dict known, TreeType tree, Py_ssize_t word, list labels)

@cython.locals(hub=list, tag=list, child=Py_ssize_t)
cdef bint _has_child(TreeType tree, Py_ssize_t word, plain, list tagged)

@cython.locals(hub=list, label=list, other=Py_ssize_t)
cdef bint _has_sibling(TreeType tree, Py_ssize_t word, tuple values, fitting)
