cimport cython

from commonground.schemes.constructions cimport construction_of
from commonground.schemes.tree cimport Tree as TreeType

@cython.locals(
    seen=set, found=dict, hub=list, tag=list, feats=list, heads=list, word=Py_ssize_t, head=Py_ssize_t
)
cdef dict _count(TreeType tree)
