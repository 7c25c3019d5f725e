cimport cython

from commonground.schemes.constructions cimport construction_of
from commonground.schemes.coordination cimport coordinate, share_partner, tie
from commonground.schemes.levels cimport level_of
from commonground.schemes.punctuation cimport edges, note
from commonground.schemes.tree cimport Tree as TreeType
from commonground.schemes.turn cimport turn

@cython.locals(
    word=Py_ssize_t, top=Py_ssize_t, children=list, functions=list, parts=dict, below=dict,
    relative=bint, repaired=bint,
)
cpdef list realise(TreeType tree, scheme)

cdef _noted_edges(TreeType tree, scheme)

@cython.locals(heads=list, hub=list, busy=set, word=Py_ssize_t)
cdef set _with_constructions(TreeType tree, scheme)

@cython.locals(functions=list, parts=dict, hub=list, article=Py_ssize_t, child=Py_ssize_t)
cdef tuple _gathered(TreeType tree, Py_ssize_t word, scheme, list failures)

@cython.locals(hub=list, feats=list)
cdef _made(TreeType tree, Py_ssize_t child, Py_ssize_t word, scheme)

cdef bint _set_off(TreeType tree, Py_ssize_t apposition, Py_ssize_t word)

@cython.locals(partner=Py_ssize_t, left=bint)
cdef bint _heads(TreeType tree, Py_ssize_t function, when, Py_ssize_t article)

@cython.locals(partner=Py_ssize_t, left=bint, other=Py_ssize_t)
cdef bint _blocked(TreeType tree, Py_ssize_t function, when, Py_ssize_t article)

cdef bint _numbers(TreeType tree, Py_ssize_t function, Py_ssize_t partner)
cdef _kind(TreeType tree, Py_ssize_t function, Py_ssize_t article)

@cython.locals(hub=list, feats=list, last=Py_ssize_t, child=Py_ssize_t)
cdef Py_ssize_t _last_article(TreeType tree, Py_ssize_t word)

@cython.locals(
    heads=list, levels=list, here=list, ordered=list, inner=Py_ssize_t, outermost=Py_ssize_t,
    level=Py_ssize_t, function=Py_ssize_t,
)
cdef Py_ssize_t _phrase(
    TreeType tree, Py_ssize_t word, Py_ssize_t top, list functions, list conjuncts, scheme,
    list failures,
)

cdef Py_ssize_t _outer_copula(TreeType tree, Py_ssize_t word, list ordered)
