"""Keywords of Python as options of the library."""

from __future__ import annotations

import numbers
import operator
from typing import Any, Mapping

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


def count(name: str, value: int) -> int:
    """A number of things, as the library takes it."""
    number = operator.index(value)
    if not 0 <= number < 2**32:
        raise UsageError(f"{name} is a whole number of 0 to {2**32 - 1}, not {number}")
    return number


def place(threads: int, backend: str | None = None, device: int | None = None) -> _native.Place:
    """Where work runs."""
    chosen = None if device is None else count("device", device)
    return _native.Place(backend or "", count("threads", threads), chosen)


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
    native.options = option_list(options)
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
