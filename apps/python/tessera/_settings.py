"""Keywords of Python as options of the library."""

from __future__ import annotations

import dataclasses
import numbers
import operator
from typing import Any, Mapping, cast

from . import _native
from .errors import UsageError


def _text_of(name: str, value: Any) -> str:
    if hasattr(value, "tolist"):  # scalars and arrays of NumPy
        value = value.tolist()
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):  # True and False, too
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(_text_of(name, item) for item in value)
    raise TypeError(f"{name} is a text, a number, a flag or a list of numbers, not {value!r}")


def count(name: str, value: int, end: int = 2**32) -> int:
    """A number of things below `end`, as the library takes it."""
    number = operator.index(value)
    if not 0 <= number < end:
        raise UsageError(f"{name} is a whole number of 0 to {end - 1}, not {number}")
    return number


def place(threads: int, backend: str | None = None, device: int | None = None) -> _native.Place:
    """Where work runs."""
    chosen = None if device is None else count("device", device)
    return _native.Place(backend or "", count("threads", threads), chosen)


@dataclasses.dataclass(frozen=True)
class Limits:
    """What a file may ask for before it is refused with a FailedError. 0 means the default.

    max_pixels: of an image, in all slices (2**30).
    max_memory: bytes that the whole call will need (three quarters of the machine).
    max_file: bytes of a file (2**35).
    max_seconds: of reading a file and unpacking its picture (no limit).
    untrusted: files may come from anybody. The defaults are then 2**26 pixels, 2**28 bytes of a
        file, 10 seconds, and 2**30 bytes of memory, but no more than 64 for each byte of the file
        and 2**26 on top.
    """

    max_pixels: int = 0
    max_memory: int = 0
    max_file: int = 0
    max_seconds: int = 0
    untrusted: bool = False


def native_limits(limits: Limits | None) -> _native.Limits:
    """Limits as the library takes them; None means the defaults."""
    chosen = limits or Limits()
    numbers_of = [
        count(name, getattr(chosen, name), 2**64)
        for name in ("max_pixels", "max_memory", "max_file")
    ]
    seconds = count("max_seconds", chosen.max_seconds)
    return _native.Limits(*numbers_of, seconds, bool(chosen.untrusted))


def option_list(options: Mapping[str, object]) -> list[_native.Option]:
    """Options that were given, by the command's names; None means that one was not."""
    return [
        _native.Option(name.replace("_", "-"), _text_of(name, value))
        for name, value in options.items()
        if value is not None
    ]


def encode_options(
    texts: dict[str, str | None], flags: dict[str, bool], options: Mapping[str, object]
) -> _native.EncodeOptions:
    """Settings of an encoder."""
    native = _native.EncodeOptions()
    for name, text in texts.items():
        if text is not None:
            setattr(native, name, text)
    for name, flag in flags.items():
        setattr(native, name, bool(flag))
    others = dict(options)
    keys = cast("Mapping[str, str]", others.pop("keys", None) or {})
    native.keys = [_native.Option(name, text) for name, text in keys.items()]
    native.options = option_list(others)
    return native


def decode_options(
    profile: str | None, level: int, options: Mapping[str, object]
) -> _native.DecodeOptions:
    """Settings of a decoder."""
    native = _native.DecodeOptions()
    native.profile = profile or ""
    native.level = count("level", level)
    native.options = option_list(options)
    return native
