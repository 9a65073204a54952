"""boto3's answers to ../scenarios.txt: importing a file puts its scenarios on the list."""

import items  # noqa: F401
import protocol  # noqa: F401
import reads  # noqa: F401
import several  # noqa: F401
import statements  # noqa: F401
import tables  # noqa: F401
from scenario import run_all

run_all()
