"""Encoding: images to files in memory, to blocks, and tile by tile."""

from __future__ import annotations

import json
from typing import Any, Sequence

from . import _native
from ._settings import count, encode_options, place
from ._types import Array, Progress
from .errors import UsageError
from .results import EncodeReport, OptionInfo, option_of, report_of


class Encoder:
    """Settings that have been checked and tables that have been made, for any number of images.

    Any number of threads may use an encoder at once. The keywords:

    format: "astc", "bc1" or "fractal".
    block: the block size, such as "6x6"; None means the format's default.
    preset: "realtime", "fast", "medium", "thorough" or "exhaustive".
    use: what the picture is for: "color", "alpha", "normal", "mask", "packed", "hdr" or "ui". It
        decides the profile, the swizzle, what errors count and how mip levels are averaged, where
        other keywords do not.
    profile: "ldr", "srgb", "hdr", or "hdra" for alpha of high dynamic range, too. None means as
        `use` says; else .ktx2 and .ktx files are srgb where the image is, and all other textures
        ldr.
    container: "ktx2", "dds", "astc", "ktx" or "tsf"; None means the format's usual one. "blocks"
        means that encode() returns blocks alone.
    mips: whether to write all mip levels.
    quality: 0 to 100, instead of a preset.
    channel_weights: what errors of red, green, blue (and alpha) count, such as (3, 6, 1).
    swizzle: four of r g b a 0 1; None means "rgba".
    linear: samples are linear whatever their type (normal maps, masks).
    normal_map: x is stored as luminance, y as alpha.
    metrics: measure each result, for encode_with_report().
    threads: 0 means all cores.
    backend: "cpu" (also None), "serial", "cuda", "opencl", "auto" or "mpi".
    device: one of devices(), by its `number`, with its `backend` (or "auto") as the backend.
    keys: texts that .ktx2 and .ktx files keep, by their names, such as {"source": "scan 7"}.
    options: what only some formats know (see encode_option_list()), by the names of the command's
        options with underscores, such as zstd=True.
    """

    def __init__(
        self,
        format: str = "astc",
        block: str | None = None,
        preset: str = "medium",
        *,
        use: str | None = None,
        profile: str | None = None,
        container: str | None = None,
        mips: bool = False,
        quality: float | None = None,
        channel_weights: str | Sequence[float] | None = None,
        swizzle: str | None = None,
        linear: bool = False,
        normal_map: bool = False,
        metrics: bool = False,
        threads: int = 0,
        backend: str | None = None,
        device: int | None = None,
        **options: Any,
    ) -> None:
        self._blocks_only = container == "blocks"
        if self._blocks_only and mips:
            raise UsageError("blocks alone cannot have mip levels: choose a container")
        settings = encode_options(
            dict(
                format=format,
                block=block,
                preset=preset,
                use=use,
                profile=profile,
                swizzle=swizzle,
                container=None if self._blocks_only else container,
            ),
            dict(mips=mips, linear=linear, normal_map=normal_map, metrics=metrics),
            dict(options, quality=quality, channel_weights=channel_weights),
        )
        self._native = _native.Encoder(settings)
        self._place = place(threads, backend, device)
        self._info = self._native.info()

    def encode(
        self, array: Array, *, volume: bool = False, progress: Progress | None = None
    ) -> bytes:
        """A whole file in memory, or blocks alone where the container is "blocks".

        With `volume` the slices of a four-dimensional array are a volume's, else an array's.
        """
        if self._blocks_only:
            return self.encode_blocks(array, volume=volume, progress=progress)
        return self._native.encode(array, volume, self._place, progress)[0]

    def encode_with_report(
        self, array: Array, *, volume: bool = False, progress: Progress | None = None
    ) -> tuple[bytes, EncodeReport]:
        """A whole file in memory, and what became of the image."""
        data, report = self._native.encode(array, volume, self._place, progress)
        return data, report_of(report)

    def encode_blocks(
        self, array: Array, *, volume: bool = False, progress: Progress | None = None
    ) -> bytes:
        """The blocks of the image without mip levels and container, row by row."""
        return self._native.encode_blocks(array, volume, self._place, progress)

    def advise(
        self, array: Array, *, volume: bool = False, progress: Progress | None = None
    ) -> dict[str, Any]:
        """What each block size of the format would make of the image, and which one serves best.

        The keys: `sizes`, a list with `block`, `bpp`, `bytes` (of the file), `psnr`, `ssim` and
        `max_error` of each (`mpsnr` alone for high dynamic range), `recommended` and `reason`.
        The encoder's targets and limits decide, such as target_psnr=40 or max_bytes=65536;
        without any, the largest blocks that keep 40 dB are recommended.
        """
        text = self._native.advise(array, volume, self._place, progress)
        return json.loads(text)  # type: ignore[no-any-return]

    def payload_size(self, array: Array, *, volume: bool = False) -> int:
        """The number of bytes that encode_blocks() returns for this array."""
        return self._native.payload_size(array, volume)

    @property
    def format(self) -> str:
        """ "astc", "bc1" or "fractal"."""
        return str(self._info["format"])

    @property
    def preset(self) -> str:
        """The preset, such as "medium"."""
        return str(self._info["preset"])

    @property
    def profile(self) -> str:
        """ "ldr", "srgb", "hdr" or "hdra". Where it is left to the image it is "ldr" here, and
        EncodeReport.profile has it."""
        return str(self._info["profile"])

    @property
    def container(self) -> str:
        """The container of encode(), such as "ktx2", or "blocks"."""
        return "blocks" if self._blocks_only else str(self._info["container"])

    @property
    def block(self) -> tuple[int, int, int]:
        """Width, height and depth of a block in pixels."""
        return self._info["block"]  # type: ignore[no-any-return]

    @property
    def block_bytes(self) -> int:
        """Bytes per block; 0 where the payload is not made of blocks (fractal images)."""
        return int(self._info["block_bytes"])

    @property
    def backend(self) -> str:
        """What computes: "cpu", "serial", "cuda", "opencl" or "mpi"."""
        return self._place.backend

    @property
    def threads(self) -> int:
        """How many threads compute."""
        return self._place.threads

    def __repr__(self) -> str:
        width, height, _ = self.block
        block = f", block='{width}x{height}'" if self.block_bytes else ""
        return (
            f"tessera.Encoder(format={self.format!r}{block}, preset={self.preset!r}, "
            f"container={self.container!r})"
        )


class TileEncoder:
    """Encodes rectangles of 8-bit RGBA pixels as they come, without allocating in the library.

    All memory is made here, for up to `concurrency` calls at once; more wait their turn. The other
    keywords are those of Encoder.
    """

    def __init__(
        self,
        format: str = "astc",
        block: str | None = None,
        preset: str = "fast",
        *,
        concurrency: int = 1,
        profile: str | None = None,
        quality: float | None = None,
        channel_weights: str | Sequence[float] | None = None,
        **options: Any,
    ) -> None:
        settings = encode_options(
            dict(format=format, block=block, preset=preset, profile=profile),
            {},
            dict(options, quality=quality, channel_weights=channel_weights),
        )
        self._native = _native.TileEncoder(settings, count("concurrency", concurrency))

    def tile_size(self, width: int, height: int) -> int:
        """The number of bytes of a tile's blocks."""
        return self._native.tile_size(count("width", width), count("height", height))

    def encode(self, tile: Array) -> bytes:
        """The blocks of a tile, an array of uint8 of shape (height, width, 4)."""
        return self._native.encode(tile)

    def encode_into(self, tile: Array, out: Any) -> int:
        """Writes the blocks to `out` (a bytearray, a memoryview, an array); returns their size."""
        return self._native.encode_into(tile, out)


def encode(
    array: Array,
    format: str = "astc",
    block: str | None = None,
    preset: str = "medium",
    *,
    use: str | None = None,
    profile: str | None = None,
    container: str | None = None,
    mips: bool = False,
    quality: float | None = None,
    channel_weights: str | Sequence[float] | None = None,
    swizzle: str | None = None,
    linear: bool = False,
    normal_map: bool = False,
    volume: bool = False,
    threads: int = 0,
    backend: str | None = None,
    device: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> bytes:
    """Encodes an image to a file in memory; with `container="blocks"` to blocks alone.

    See Encoder for the keywords, and use it for many images with the same settings. With `volume`
    the slices of a four-dimensional array are a volume's, else an array's.
    """
    encoder = Encoder(
        format,
        block,
        preset,
        use=use,
        profile=profile,
        container=container,
        mips=mips,
        quality=quality,
        channel_weights=channel_weights,
        swizzle=swizzle,
        linear=linear,
        normal_map=normal_map,
        threads=threads,
        backend=backend,
        device=device,
        **options,
    )
    return encoder.encode(array, volume=volume, progress=progress)


def encode_blocks(
    array: Array,
    format: str = "astc",
    block: str | None = None,
    preset: str = "medium",
    **keywords: Any,
) -> bytes:
    """Encodes an image to blocks without a container: encode() with `container="blocks"`."""
    return encode(array, format, block, preset, container="blocks", **keywords)


def encode_option_list() -> list[OptionInfo]:
    """The options of encoding that only some formats know."""
    return [option_of(option) for option in _native.option_list(False)]
