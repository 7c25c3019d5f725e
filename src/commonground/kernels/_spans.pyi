from commonground.kernels.spans import crossings as crossings
from commonground.kernels.spans import extents as extents
from commonground.kernels.spans import matches as matches
