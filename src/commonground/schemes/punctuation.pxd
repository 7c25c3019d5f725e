cimport cython

from commonground.schemes.marks cimport opened_and_closed, phrase_ends
from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(
    heads=list, hub=list, feats=list, candidates=list, first=list, last=list, marks=list,
    mark=Py_ssize_t, head=Py_ssize_t,
)
cpdef edges(TreeType tree, str staying=*)

@cython.locals(
    heads=list, order=list, count=list, enter=list, leave=list, free=list, size=Py_ssize_t,
    word=Py_ssize_t, head=Py_ssize_t, at=Py_ssize_t, number=Py_ssize_t,
)
cdef tuple _numbered(TreeType tree)

@cython.locals(marks=list, again=TreeType, unsaid=list, mark=Py_ssize_t)
cpdef note(TreeType tree, at_edge)

@cython.locals(heads=list)
cdef bint _below(TreeType tree, Py_ssize_t word, Py_ssize_t head)

@cython.locals(marks=list)
cpdef inside(TreeType tree)

cdef dict _homes(TreeType tree, list marks)

@cython.locals(
    homes=dict, hub=list, heads=list, tags=list, first=Py_ssize_t, last=Py_ssize_t, ends=bint,
    mark=Py_ssize_t, one=Py_ssize_t, other=Py_ssize_t,
)
cdef dict _guessed(TreeType tree, list marks)

@cython.locals(homes=dict, misc=list, mark=Py_ssize_t)
cdef dict _noted(TreeType tree, list marks)

@cython.locals(
    heads=list, tags=list, children=list, below=dict, head=Py_ssize_t, low=Py_ssize_t,
    high=Py_ssize_t, word=Py_ssize_t, above=Py_ssize_t, child=Py_ssize_t,
)
cdef bint _crosses(TreeType tree, Py_ssize_t mark)

@cython.locals(head=Py_ssize_t, before=Py_ssize_t, after=Py_ssize_t)
cdef Py_ssize_t _home(TreeType tree, Py_ssize_t mark)

@cython.locals(tags=list, first=Py_ssize_t, last=Py_ssize_t)
cdef tuple _ends(TreeType tree)

@cython.locals(before=Py_ssize_t, after=Py_ssize_t, size=Py_ssize_t)
cdef tuple _beside(list tags, list heads, Py_ssize_t mark, Py_ssize_t head)

@cython.locals(tags=list, children=list, heads=list, marks=list, word=Py_ssize_t)
cdef list _marks(TreeType tree)
