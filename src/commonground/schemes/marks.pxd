cimport cython

from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(mark=Py_ssize_t, feats=list, pairs=list, opened=list)
cpdef list opened_and_closed(TreeType tree, list marks)

@cython.locals(
    heads=list, tags=list, first=list, last=list, word=Py_ssize_t, head=Py_ssize_t,
    low=Py_ssize_t, high=Py_ssize_t,
)
cpdef tuple phrase_ends(TreeType tree)

@cython.locals(
    tag=list, head=list, children=list, homes=list, marks=list, first=list, last=list, before=list,
    after=list, paired=dict, mark=Py_ssize_t, home=Py_ssize_t, left=Py_ssize_t, right=Py_ssize_t,
    top=Py_ssize_t, w=Py_ssize_t,
)
cdef list _homes(TreeType tree)

@cython.locals(
    tags=list, before=list, after=list, size=Py_ssize_t, near=Py_ssize_t, word=Py_ssize_t
)
cdef tuple _neighbours(TreeType tree)

cdef bint _below(list heads, Py_ssize_t word, Py_ssize_t top)
