cimport cython

from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(roots=list, root=Py_ssize_t, word=Py_ssize_t, home=Py_ssize_t)
cpdef list gather(TreeType tree, scheme)

cdef tuple _rank(TreeType tree, Py_ssize_t word, labels, scheme)

@cython.locals(verb=Py_ssize_t, above=Py_ssize_t)
cdef Py_ssize_t _verb_before(TreeType tree, Py_ssize_t word)

@cython.locals(label=list, word=Py_ssize_t)
cpdef release(TreeType tree, scheme)
