"""What calls tell about images, files, devices and options."""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["Device", "EncodeReport", "Metrics", "OptionInfo"]


@dataclasses.dataclass(frozen=True)
class Metrics:
    """How far an image is from its reference.

    Signal-to-noise ratios are in dB, and 999 where nothing differs.
    """

    psnr_rgb: float
    psnr_rgba: float
    psnr_alpha_weighted: float
    """Errors of colours count by the reference's alpha."""
    ssim: float
    """Structural similarity of luma, -1 to 1."""
    max_error: float
    """The largest error of any sample; 1 is the full range."""
    worst_block: tuple[int, int, int]
    """Column, row and slice of the block with the largest error, counted in blocks."""
    worst_block_psnr_rgb: float
    mpsnr: float | None = None
    """Of float images: in the mean of exposures from -10 to +10 f-stops, in dB."""
    log_rmse: float | None = None
    """Of float images: of the logarithms of RGB, in octaves."""
    psnr_peak: float | None = None
    """Of float images: with the reference's largest sample as peak, in dB."""


@dataclasses.dataclass(frozen=True)
class EncodeReport:
    """What became of an image."""

    width: int
    height: int
    channels: int
    """Channels that were encoded."""
    levels: int
    """Mip levels."""
    encoded_pixels: int
    """Pixels of all levels."""
    file_bytes: int
    encode_seconds: float
    """Time of the encoder alone, without conversions."""
    alpha_dropped: bool
    """Whether the image had transparent pixels that the format cannot keep."""
    metrics: Metrics | None
    """The quality of the result, where the encoder was made with `metrics=True`."""
    angular_error_mean: float | None
    """Of normal maps, with the metrics; degrees."""
    angular_error_max: float | None
    """Of normal maps, with the metrics; degrees."""
    profile: str
    """How the texture is read: "ldr", "srgb", "hdr" or "hdra"."""


@dataclasses.dataclass(frozen=True)
class Device:
    """A device that can encode: the `backend` and `device` of an encoder are its backend and number."""

    name: str
    platform: str
    version: str
    is_gpu: bool
    compute_units: int
    memory_bytes: int
    backend: str
    number: int


@dataclasses.dataclass(frozen=True)
class OptionInfo:
    """An option that only some formats know; it is given to calls as a keyword."""

    name: str
    """As Python spells it: underscores where the command has dashes."""
    formats: tuple[str, ...]
    help: str
    kind: str
    """ "flag", "integer", "number", "text" or "choice"."""
    choices: tuple[str, ...]
    """The names of a choice."""
    least: float | None
    """The smallest integer or number."""
    most: float | None
    """The largest integer or number."""


def report_of(values: dict[str, Any]) -> EncodeReport:
    """An EncodeReport of what the compiled part returns."""
    metrics = values.pop("metrics")
    return EncodeReport(metrics=Metrics(**metrics) if metrics else None, **values)


def option_of(values: dict[str, Any]) -> OptionInfo:
    """An OptionInfo of what the compiled part returns."""
    name = values.pop("name").replace("-", "_")
    formats = tuple(filter(None, values.pop("formats").split(",")))
    choices = tuple(filter(None, values.pop("choices").split(",")))
    return OptionInfo(name=name, formats=formats, choices=choices, **values)
