"""What can go wrong: Error and its subclasses, one for each code."""

from __future__ import annotations

import enum

__all__ = [
    "DifferError",
    "Error",
    "ErrorCode",
    "FailedError",
    "FileError",
    "InvalidFileError",
    "StoppedError",
    "UnsupportedError",
    "UsageError",
]


class ErrorCode(enum.IntEnum):
    """The codes of errors, which are the exit codes of the command."""

    USAGE = 1
    IO = 2
    INVALID = 3
    FAILED = 4
    UNSUPPORTED = 5
    INTERRUPTED = 6
    DIFFER = 7


class Error(Exception):
    """Anything that the library refuses or fails to do; `str(error)` is one sentence about it."""

    code: ErrorCode = ErrorCode.FAILED


class UsageError(Error, ValueError):
    """The request itself makes no sense, such as a block size that does not exist."""

    code = ErrorCode.USAGE


class FileError(Error, OSError):
    """A file cannot be read or written."""

    code = ErrorCode.IO


class InvalidFileError(Error, ValueError):
    """The content of a file breaks the rules of its type."""

    code = ErrorCode.INVALID


class FailedError(Error, RuntimeError):
    """Something went wrong while running, such as too little memory."""

    code = ErrorCode.FAILED


class UnsupportedError(Error, NotImplementedError):
    """A valid request that this build cannot serve."""

    code = ErrorCode.UNSUPPORTED


class StoppedError(Error, RuntimeError):
    """Work was asked to stop."""

    code = ErrorCode.INTERRUPTED


class DifferError(Error, ValueError):
    """Two images cannot be compared, because they have different shapes."""

    code = ErrorCode.DIFFER


_CLASSES: dict[int, type[Error]] = {
    int(kind.code): kind
    for kind in (
        UsageError,
        FileError,
        InvalidFileError,
        FailedError,
        UnsupportedError,
        StoppedError,
        DifferError,
    )
}


def error_of(code: int, message: str) -> Error:
    """The exception for an error of the library; the compiled part raises it."""
    return _CLASSES.get(code, FailedError)(message)
