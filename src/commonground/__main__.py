"""``python -m commonground`` is the command ``commonground``."""

import sys

from commonground.cli import main

if __name__ == "__main__":
    sys.exit(main())
