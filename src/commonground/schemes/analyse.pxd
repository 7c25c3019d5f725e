cimport cython

from commonground.schemes.constructions cimport construction_of
from commonground.schemes.coordination cimport uncoordinate, untie
from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(
    word=Py_ssize_t, top=Py_ssize_t, function=Py_ssize_t, partner=Py_ssize_t, children=list,
    coordination=bint, repaired=bint, part=bint, ties=list, busy=set,
)
cpdef analyse(TreeType tree, scheme)

@cython.locals(heads=list, label=list, busy=set, word=Py_ssize_t)
cdef set _with_constructions(TreeType tree, scheme)

@cython.locals(before=Py_ssize_t)
cdef bint _continues(TreeType tree, Py_ssize_t word, labels, scheme)

@cython.locals(label=list, child=Py_ssize_t, partner=Py_ssize_t)
cdef Py_ssize_t _content_word(TreeType tree, Py_ssize_t function, scheme)

cdef bint _has_arguments(TreeType tree, Py_ssize_t word, Py_ssize_t partner, scheme)

@cython.locals(
    label=list, led=list, candidates=list, child=Py_ssize_t, nearest=Py_ssize_t,
)
cdef Py_ssize_t _partner(TreeType tree, Py_ssize_t function, find, scheme)

cdef bint _governed(TreeType tree, Py_ssize_t partner, wanted)
cdef bint _headed(TreeType tree, Py_ssize_t word, Py_ssize_t child, label, scheme)

@cython.locals(others=list, child=Py_ssize_t)
cdef _turn_back(TreeType tree, Py_ssize_t function, Py_ssize_t partner, scheme)

@cython.locals(turned=dict, functions=list, below=list, child=Py_ssize_t)
cdef Py_ssize_t _top(TreeType tree, Py_ssize_t partner)

@cython.locals(between=bint)
cdef bint _own(
    TreeType tree, Py_ssize_t function, Py_ssize_t child, Py_ssize_t partner, scheme
)
