"""Tessera compresses images block by block: ASTC, BC1 and fractal images.

    >>> import tessera
    >>> photo = tessera.sample("photo", 64, 64)          # or tessera.read("photo.png")
    >>> data = tessera.encode(photo, format="astc", block="6x6", preset="fast")
    >>> pixels = tessera.decode(data)
    >>> tessera.compare(photo, pixels).psnr_rgb > 30
    True

Images are NumPy arrays of uint8, uint16, float16 or float32, of shape (height, width),
(height, width, channels) or (slices, height, width, channels). Integer samples are taken for sRGB,
floats for linear light. Arrays whose rows are contiguous pixels are used where they are, others
are copied.

All long calls release the interpreter lock and may be made by several threads at once. Ctrl-C
stops them. A `progress` function is called with the fraction done (0 to 1), from any thread; an
exception that it raises stops the work and comes out of the call.
"""

from ._decoding import decode, decode_blocks, decode_option_list, info, read
from ._encoding import Encoder, TileEncoder, encode, encode_blocks, encode_option_list
from ._pictures import (
    annotated_sheet,
    build_info,
    compare,
    comparison_sheet,
    devices,
    mip_levels,
    sample,
    version,
    write,
)
from ._settings import Limits
from ._transcoding import transcode
from .errors import (
    DifferError,
    Error,
    ErrorCode,
    FailedError,
    FileError,
    InvalidFileError,
    StoppedError,
    UnsupportedError,
    UsageError,
)
from .results import Device, EncodeReport, Metrics, OptionInfo

__all__ = [
    "Device",
    "DifferError",
    "EncodeReport",
    "Encoder",
    "Error",
    "ErrorCode",
    "FailedError",
    "FileError",
    "InvalidFileError",
    "Limits",
    "Metrics",
    "OptionInfo",
    "StoppedError",
    "TileEncoder",
    "UnsupportedError",
    "UsageError",
    "build_info",
    "compare",
    "annotated_sheet",
    "comparison_sheet",
    "decode",
    "decode_blocks",
    "decode_option_list",
    "devices",
    "encode",
    "encode_blocks",
    "encode_option_list",
    "info",
    "mip_levels",
    "read",
    "sample",
    "transcode",
    "version",
    "write",
]

__version__ = version()
