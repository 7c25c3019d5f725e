cimport cython

from commonground.schemes.analyse cimport analyse
from commonground.schemes.fixed_labels cimport settle, unsettle
from commonground.schemes.punctuation cimport inside
from commonground.schemes.realise cimport realise
from commonground.schemes.technical cimport gather, release
from commonground.schemes.tree cimport Tree as TreeType

cpdef to_hub(TreeType tree, scheme, unplaced=*)

@cython.locals(nowhere=list)
cpdef list to_shape(TreeType tree, scheme)

@cython.locals(hub=list, head=list, word=Py_ssize_t, above=Py_ssize_t)
cdef _part_auxiliaries(TreeType tree)

@cython.locals(failures=list)
cpdef list from_hub(TreeType tree, scheme)
