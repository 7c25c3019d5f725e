cimport cython

from commonground.schemes.constructions cimport construction_of
from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(alone=set, clause=bint, level=Py_ssize_t, place=Py_ssize_t)
cpdef Py_ssize_t level_of(TreeType tree, Py_ssize_t word, Py_ssize_t conjunct, list ordered)

@cython.locals(turned=bint)
cdef set _own_kinds(TreeType tree, Py_ssize_t top)

cdef bint _other_form(TreeType tree, Py_ssize_t word, Py_ssize_t conjunct)
