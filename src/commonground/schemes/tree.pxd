cimport cython


cdef class Tree:
    cdef public list head, governor, label, hub, tag, feats, misc, children, order
    cdef public dict turned

    @cython.locals(children=list, order=list, below=dict, word=Py_ssize_t)
    cpdef list bottom_up(self)

    @cython.locals(heads=list, children=list, before=dict, after=dict)
    cpdef move(self, Py_ssize_t word, Py_ssize_t head)

    cpdef take_place(self, Py_ssize_t word, Py_ssize_t other)
    cpdef flip(self, Py_ssize_t word, Py_ssize_t head)

    @cython.locals(label=list, hub=list, governor=list)
    cdef _swap(self, Py_ssize_t word, Py_ssize_t other)
