"""Transcoding: compressed textures to other ones."""

from __future__ import annotations

from typing import Any, Sequence

from . import _native
from ._settings import Limits, encode_options, native_limits, place
from ._types import Progress, Source


def transcode(
    source: Source,
    format: str = "bc1",
    block: str | None = None,
    preset: str = "medium",
    *,
    profile: str | None = None,
    source_profile: str | None = None,
    container: str | None = None,
    mips: bool = False,
    quality: float | None = None,
    channel_weights: str | Sequence[float] | None = None,
    swizzle: str | None = None,
    threads: int = 0,
    backend: str | None = None,
    device: int | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> bytes:
    """Makes another texture of a texture or fractal image, a path or bytes, as a file in memory.

    All mip levels are kept; `mips` makes them where there is one level only. sRGB stays sRGB unless
    `profile` says otherwise. `source_profile` says how to read files that do not say it ("ldr",
    "srgb" or "hdr"), `limits` what the source may ask for. See Encoder for the other keywords.
    """
    settings = encode_options(
        dict(
            format=format,
            block=block,
            preset=preset,
            profile=profile,
            source_profile=source_profile,
            swizzle=swizzle,
            container=container,
        ),
        dict(mips=mips, transcode=True),
        dict(options, quality=quality, channel_weights=channel_weights),
    )
    encoder = _native.Encoder(settings)
    return encoder.transcode(
        source, place(threads, backend, device), progress, native_limits(limits)
    )
