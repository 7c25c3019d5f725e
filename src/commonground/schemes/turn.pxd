cimport cython

from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(
    top=Py_ssize_t, step=Py_ssize_t, place=Py_ssize_t, head=Py_ssize_t, child=Py_ssize_t,
    stop=str, beyond=bint,
    climbing=list, between=list, behind=list,
)
cpdef turn(
    TreeType tree, Py_ssize_t function, list heads, climb, Py_ssize_t inner, tuple subjects=*
)

@cython.locals(label=str)
cdef bint _stays(TreeType tree, Py_ssize_t child, tuple subjects)

@cython.locals(label=str)
cdef bint _goes(TreeType tree, Py_ssize_t child, climb)

@cython.locals(label=str)
cdef str _asked(TreeType tree, Py_ssize_t child)

@cython.locals(child=Py_ssize_t, label=str, stopped=bint, going=list, waiting=list)
cdef list _going(TreeType tree, list children, climb, str place, str stop, heads)
