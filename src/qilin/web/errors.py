"""What the server refuses, in words; each has a code and a status. Nothing else ever reaches a client."""

from __future__ import annotations

from typing import Any

from qilin.errors import QilinError
from qilin.words import Text


class Refusal(QilinError):
    """The root: a request that is not granted."""

    code = "bad_request"
    status = 400
    words = Text(en="That is not understood.", zh="无法理解该请求。")

    def as_json(self) -> dict[str, Any]:
        """For a client."""
        return {"code": self.code, "message": str(self), "words": {"en": self.words.en, "zh": self.words.zh}}


class Forbidden(Refusal):
    """It is somebody else's to do."""

    code, status = "forbidden", 403
    words = Text(en="That is not allowed.", zh="不允许此操作。")


class NotFound(Refusal):
    """There is no such thing."""

    code, status = "not_found", 404
    words = Text(en="There is no such thing.", zh="找不到。")


class TooLarge(Refusal):
    """More than the server takes."""

    code, status = "too_large", 413
    words = Text(en="That is too large.", zh="内容过大。")


class Unsupported(Refusal):
    """Another kind of content is expected."""

    code, status = "unsupported", 415
    words = Text(en="That kind of content is not understood.", zh="不支持的内容类型。")


class Invalid(Refusal):
    """A position, a move, an option or a name that is wrong."""

    code, status = "invalid", 422
    words = Text(en="That is not valid.", zh="内容无效。")


class Stale(Refusal):
    """The game went on meanwhile."""

    code, status = "stale", 409
    words = Text(en="The game has gone on.", zh="棋局已有变化。")


class Busy(Refusal):
    """Too much to do; try again."""

    code, status = "busy", 503
    words = Text(en="The engines are busy; try again soon.", zh="引擎繁忙，请稍后再试。")

    def __init__(self, retry: float, what: str = "all engines are at work, and too many wait already") -> None:
        """`retry`: seconds after which there may be room."""
        super().__init__(f"{what}; try again in {retry:g} s")
        self.retry = retry

    def as_json(self) -> dict[str, Any]:
        """With the time to wait."""
        return {**super().as_json(), "retry": self.retry}


class EngineFailed(Refusal):
    """An engine gave no answer."""

    code, status = "engine", 503
    words = Text(en="The engine gave no answer.", zh="引擎没有回应。")


class Failed(Refusal):
    """Our own mistake; what it was stands in the server's log only."""

    code, status = "failed", 500
    words = Text(en="Something went wrong in the server.", zh="服务器出错了。")


def refusal_of(error: QilinError) -> Refusal:
    """Any error of Qilin's as a refusal: its words may be shown, they speak of the input."""
    if isinstance(error, Refusal):
        return error
    refusal = Invalid(str(error))
    refusal.words = getattr(error, "words", None) or refusal.words
    return refusal
