"""Decoding: files and blocks to arrays, and what is known about files."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy
import numpy.typing

from . import _native
from ._settings import Limits, decode_options, native_limits, place
from ._types import Array, Progress, Source
from .results import OptionInfo, option_of


def _as_samples(pixels: Array, dtype: numpy.dtype[Any]) -> Array:
    """Pixels of a picture with other samples: the full range of integers is 0 to 1 of floats."""
    if pixels.dtype == dtype:
        return pixels
    values = pixels.astype(numpy.float64)
    if pixels.dtype.kind == "u":
        values /= numpy.iinfo(pixels.dtype).max
    if dtype.kind == "u":
        values = numpy.rint(numpy.clip(numpy.nan_to_num(values), 0, 1) * numpy.iinfo(dtype).max)
    return values.astype(dtype)


def decode(
    source: Source,
    *,
    profile: str | None = None,
    level: int = 0,
    dtype: numpy.typing.DTypeLike | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Array:
    """Decodes a texture, a fractal image or a picture: a path, or the content of a file.

    The result has the shape (height, width, channels), or (slices, height, width, channels) for
    arrays and volumes. Textures without transparent pixels have three channels. It is the library's
    own memory, without a copy, and may be written to.

    profile: read textures as "ldr", "srgb" or "hdr"; None means as the file says.
    level: the mip level; 0 is the largest.
    dtype: uint8, uint16, float16 or float32; None means the samples of a picture, float16 for
        textures of high dynamic range, else uint8.
    threads: 0 means all cores.
    limits: what the file may ask for; Limits(untrusted=True) for files from strangers.
    options: what only some formats know (see decode_option_list()), such as decode_mode="unorm8".
    """
    samples = None if dtype is None else numpy.dtype(dtype)
    pixels = _native.decode(
        source,
        decode_options(profile, level, options),
        samples,
        place(threads),
        progress,
        native_limits(limits),
    )
    # The library keeps the samples of pictures.
    return pixels if samples is None else _as_samples(pixels, samples)


def read(path: str | os.PathLike[str], **keywords: Any) -> Array:
    """Reads any picture, texture or fractal image; the keywords are those of decode()."""
    return decode(os.fspath(path), **keywords)


def decode_blocks(
    blocks: bytes | bytearray | memoryview,
    format: str,
    block: str,
    shape: tuple[int, ...],
    *,
    profile: str | None = None,
    dtype: numpy.typing.DTypeLike = numpy.uint8,
    volume: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Array:
    """Decodes blocks without a container to an array of this shape.

    The shape is (height, width, channels), or (slices, height, width, channels); the other keywords
    are those of decode().
    """
    pixels = numpy.empty(shape, dtype)
    _native.decode_blocks(
        blocks,
        format,
        block,
        pixels,
        volume,
        decode_options(profile, 0, options),
        place(threads),
        progress,
    )
    return pixels


def info(
    source: Source,
    *,
    statistics: bool = False,
    block: str | tuple[int, ...] | None = None,
    limits: Limits | None = None,
) -> dict[str, Any]:
    """All that is known about a file: a path, or its content. The keys are those of the command's
    `info --json`.

    statistics: add what the blocks are made of.
    block: explain one block, such as (12, 7), in blocks.
    limits: what the file may ask for; of them, max_file matters here.
    """
    if isinstance(block, tuple):
        block = ",".join(str(int(index)) for index in block)
    text = _native.describe(source, statistics, block or "", native_limits(limits))
    return json.loads(text)  # type: ignore[no-any-return]


def decode_option_list() -> list[OptionInfo]:
    """The options of decoding that only some formats know."""
    return [option_of(option) for option in _native.option_list(True)]
