cimport cython

from commonground.schemes.labels cimport has_label
from commonground.schemes.tree cimport Tree as TreeType

cpdef Py_ssize_t tie(TreeType tree, Py_ssize_t first, list parts, way)
cdef Py_ssize_t _under_mark(TreeType tree, Py_ssize_t first, Py_ssize_t second)

@cython.locals(label=list, parts=list, child=Py_ssize_t, first=Py_ssize_t)
cpdef Py_ssize_t untie(TreeType tree, Py_ssize_t word, labels, way, scheme, finds=*)

cpdef Py_ssize_t coordinate(TreeType tree, Py_ssize_t top, list conjuncts, scheme, list failures)

@cython.locals(raised=set, all_conjuncts=set, word=Py_ssize_t, above=Py_ssize_t, c=Py_ssize_t)
cdef set _raise(TreeType tree, Py_ssize_t top, list conjuncts)

@cython.locals(last=Py_ssize_t, child=Py_ssize_t, c=Py_ssize_t)
cdef _share(TreeType tree, Py_ssize_t top, list conjuncts, raised, scheme)

@cython.locals(c=Py_ssize_t)
cpdef share_partner(TreeType tree, Py_ssize_t function, Py_ssize_t partner)

@cython.locals(child=Py_ssize_t, c=Py_ssize_t, conjunct=Py_ssize_t)
cdef _flatten(TreeType tree, Py_ssize_t top, list conjuncts)

cdef bint _links(TreeType tree, Py_ssize_t child, Py_ssize_t conjunct, Py_ssize_t top)

@cython.locals(before=Py_ssize_t, conjunct=Py_ssize_t, link=Py_ssize_t)
cdef _chain_through(TreeType tree, Py_ssize_t top, list conjuncts, scheme)

@cython.locals(before=list, links=list, beyond=list, link=Py_ssize_t, c=Py_ssize_t)
cdef Py_ssize_t _through(TreeType tree, Py_ssize_t conjunct, scheme)

@cython.locals(last=Py_ssize_t, c=Py_ssize_t)
cdef Py_ssize_t _under_conjunction(
    TreeType tree, Py_ssize_t top, list conjuncts, scheme, list failures
)

cdef bint _across(Py_ssize_t child, Py_ssize_t part, Py_ssize_t link, Py_ssize_t last)

@cython.locals(label=list, conjuncts=list, child=Py_ssize_t)
cpdef Py_ssize_t uncoordinate(TreeType tree, Py_ssize_t word, scheme)

@cython.locals(label=list, child=Py_ssize_t, conjuncts=list)
cdef list _conjuncts(TreeType tree, Py_ssize_t word, labels, scheme)

@cython.locals(c=Py_ssize_t, conjunct=Py_ssize_t)
cdef Py_ssize_t _back_through(TreeType tree, Py_ssize_t link, scheme)

cdef bint _own(TreeType tree, Py_ssize_t child, scheme)
cdef bint _is_link(TreeType tree, Py_ssize_t word, list conjuncts, labels, scheme)

@cython.locals(through=bint, waiting=list, conjunct=Py_ssize_t, c=Py_ssize_t, further=Py_ssize_t)
cdef _unchain(TreeType tree, Py_ssize_t word, list conjuncts, labels, scheme)

@cython.locals(first=Py_ssize_t, c=Py_ssize_t)
cdef Py_ssize_t _from_last(TreeType tree, Py_ssize_t last, list conjuncts, scheme)

@cython.locals(after=Py_ssize_t, child=Py_ssize_t, c=Py_ssize_t)
cdef _unflatten(TreeType tree, Py_ssize_t first, list conjuncts, scheme)
