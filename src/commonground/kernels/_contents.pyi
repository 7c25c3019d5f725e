from commonground.kernels.contents import blank_lines as blank_lines
from commonground.kernels.contents import contents as contents
from commonground.kernels.contents import lines as lines
from commonground.kernels.contents import parted as parted
