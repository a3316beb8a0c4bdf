"""Types that many signatures share."""

from __future__ import annotations

import os
from typing import Any, Callable, Union

import numpy
import numpy.typing

#: Pixels: uint8, uint16, float16 or float32.
Array = numpy.typing.NDArray[Any]

#: A path, or the content of a file.
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]

#: A function of the fraction done, 0 to 1.
Progress = Callable[[float], object]
