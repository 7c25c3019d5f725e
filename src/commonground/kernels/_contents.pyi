from commonground.kernels.contents import contents as contents
from commonground.kernels.contents import parted as parted
