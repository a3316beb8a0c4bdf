"""Pictures: comparison, mip levels, samples, writing; devices and the build."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy

from . import _native
from ._settings import count
from ._types import Array
from .results import Device, Metrics


def compare(reference: Array, test: Array, *, block: tuple[int, int] = (4, 4)) -> Metrics:
    """Measures how far `test` is from `reference`; `block` is the size of the worst block.

    A picture without alpha counts as opaque. Raises DifferError where the extents differ.
    """
    width, height = (count("block", side) for side in block)
    return Metrics(**_native.compare(reference, test, width, height))


def comparison_sheet(reference: Array, test: Array, *, gain: float = 8.0) -> Array:
    """Reference, test and their difference times `gain`, side by side, as 8-bit RGB."""
    return _native.comparison_sheet(reference, test, gain)


def annotated_sheet(reference: Array, test: Array, *, names: tuple[str, str] = ("original", "result"),
                    gain: float = 8.0, block: tuple[int, int] = (4, 4)) -> Array:
    """The same with labels (names, PSNR), and below it the blocks around the worst one, enlarged."""
    width, height = (count("block", side) for side in block)
    return _native.annotated_sheet(reference, test, *names, gain, width, height)


def mip_levels(array: Array, *, linear: bool = False) -> list[Array]:
    """The mip levels below an image of one slice, down to one pixel.

    With `linear` integer samples are averaged as they are, not as sRGB.
    """
    levels: list[Array] = []
    level = numpy.asarray(array)
    while max(level.shape[:2]) > 1:
        level = _native.next_mip_level(level, linear)
        levels.append(level)
    return levels


def sample(kind: str, width: int, height: int, seed: int = 1) -> Array:
    """A picture made by code: "photo", "interface", "sprite", "normal-map", "noise", "constant"."""
    return _native.sample(
        kind, count("width", width), count("height", height), count("seed", seed)
    )


def write(
    path: str | os.PathLike[str],
    content: Array | bytes | bytearray | memoryview,
    *,
    type: str | None = None,
    linear: bool = False,
) -> int:
    """Writes an array as a picture file, or bytes as they are; returns the size of the file.

    The picture's type follows from the extension, or is `type` ("png"). With `linear` the file
    says that integer samples are linear. The file appears under its name only when it is complete.
    """
    if isinstance(content, (bytes, bytearray, memoryview)):
        return _native.write_bytes(path, content)
    return _native.write(path, content, type or "", linear)


def devices() -> list[Device]:
    """The devices that can encode; none where this build or this machine can have none."""
    return [Device(**device) for device in _native.devices()]


def version() -> str:
    """The version of the library, such as "0.2.0"."""
    return _native.version()


def build_info() -> dict[str, Any]:
    """What this build holds: formats, containers, picture types, backends, instruction sets."""
    return json.loads(_native.describe_build())  # type: ignore[no-any-return]
