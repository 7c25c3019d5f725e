cimport cython

from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(label=list, hub=list, word=Py_ssize_t, partner=Py_ssize_t)
cpdef settle(TreeType tree, scheme)

@cython.locals(label=list, word=Py_ssize_t, partner=Py_ssize_t)
cpdef unsettle(TreeType tree, scheme)

@cython.locals(child=Py_ssize_t)
cdef Py_ssize_t _partner(TreeType tree, Py_ssize_t word, scheme)
