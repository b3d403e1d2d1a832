"""What clients may say: every field bounded, nothing unknown taken in silence."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from qilin.state import games


def _name_them(schema: dict[str, Any]) -> None:
    schema["examples"] = games()


Name = Annotated[str, Field(min_length=1, max_length=60)]
GameName = Annotated[str, Field(min_length=1, max_length=60, json_schema_extra=_name_them)]
Text = Annotated[str, Field(min_length=1, max_length=16)]
Spec = Annotated[str, Field(min_length=1, max_length=200, examples=["greedy", "level:1"])]
Square = Annotated[str, Field(min_length=1, max_length=4, examples=["a1"])]
Id = Annotated[str, Field(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Field(ge=0, le=1)]
Options = Annotated[dict[Name, str | int], Field(max_length=16)]


class Said(BaseModel):
    """Anything a client sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


class LineOfPlay(Said):
    """A position, by the way to it."""

    game: GameName
    options: Options = {}
    position: Annotated[str | None, Field(max_length=400, description="the text; none: the start")] = None
    moves: Annotated[list[Text], Field(max_length=5000, description="from there, answers of chance included")] = []


class MoveRequest(LineOfPlay):
    """A move to be played."""

    move: Text
    outcome: Text | None = None


class AiMoveRequest(LineOfPlay):
    """A move that a player is to find."""

    player: Spec


class AnalyseRequest(LineOfPlay):
    """A position to be analysed."""

    player: Spec = "alphabeta"
    lines: Annotated[int, Field(ge=1, le=10)] = 3
    seconds: Annotated[float, Field(gt=0, le=60)] = 2.0


class HintRequest(LineOfPlay):
    """A position in which somebody wants a hint."""

    player: Spec = "alphabeta:time=1s"


class ExplainRequest(LineOfPlay):
    """A ply that may not be legal: its text, or where it begins and ends."""

    move: Text | None = None
    start: Annotated[Square | None, Field(alias="from")] = None
    to: Square | None = None


class PictureRequest(LineOfPlay):
    """A position to be drawn."""

    form: Literal["svg", "png"] = "svg"
    flipped: bool = False
    coordinates: bool = True
    width: Annotated[int, Field(ge=16, le=2048, description="of a PNG, in pixels")] = 720


class LoadRequest(Said):
    """A network, by name."""

    name: Annotated[str, Field(min_length=1, max_length=100)]


class Saved(Said):
    """A game for the library."""

    document: dict[str, Any]
    tags: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=20)] = []


class SeatRequest(Said):
    """Who is to sit somewhere."""

    player: Spec = "human"
    name: Annotated[str, Field(max_length=60)] = ""


class ClockRequest(Said):
    """Time for a game."""

    seconds: Annotated[float, Field(ge=0, le=86_400)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0
    periods: Annotated[int, Field(ge=0, le=60, description="of byo-yomi")] = 0
    period: Annotated[float, Field(ge=0, le=3600)] = 0.0

    @model_validator(mode="after")
    def _is_some_time(self) -> Self:
        if (self.periods > 0) != (self.period > 0):
            raise ValueError(f"{self.periods} periods of {self.period:g} s, expected both or neither")
        if not self.seconds and not self.periods:
            raise ValueError("no time at all, expected main time or periods")
        return self


class Message(Said):
    """Anything that comes over the WebSocket."""

    id: Id | None = None


class New(Message, LineOfPlay):
    """A new game."""

    type: Literal["new"]
    seats: Annotated[list[SeatRequest], Field(min_length=2, max_length=2)]
    clock: ClockRequest | None = None
    undo: bool = True


class Resume(Message):
    """A game again."""

    type: Literal["resume"]
    game: Id
    seq: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    keys: Annotated[list[Id], Field(max_length=2)] = []


class OfGame(Message):
    """Something about a game that this client has entered."""

    game: Id


class Move(OfGame):
    """A ply."""

    type: Literal["move"]
    ply: Annotated[int, Field(ge=0, le=100_000)]
    move: Text


class Undo(OfGame):
    """Take back."""

    type: Literal["undo"]
    by: Literal["turn", "ply"] = "turn"


class Resign(OfGame):
    """Give up."""

    type: Literal["resign"]
    seat: SeatNumber


class Offer(OfGame):
    """Offer something, take it or leave it."""

    type: Literal["offer", "accept", "decline"]
    seat: SeatNumber
    what: Literal["draw", "undo"]


class Rest(OfGame):
    """Let the game rest, or go on; or leave it."""

    type: Literal["pause", "go", "leave"]


class Sit(OfGame):
    """Somebody else for a seat."""

    type: Literal["seat"]
    seat: SeatNumber
    player: Spec = "human"
    name: Annotated[str, Field(max_length=60)] = ""


class Analyse(Message, AnalyseRequest):
    """A stream of analysis."""

    type: Literal["analyse"]
    id: Id
    seq: Annotated[int, Field(ge=0)] = 0


class Judge(Message, LineOfPlay):
    """A judgement of every ply."""

    type: Literal["judge"]
    id: Id
    player: Spec = "alphabeta"
    seconds: Annotated[float, Field(gt=0, le=5)] = 0.1


class Match(Message):
    """A match between two engines; the same `match` again is the same match."""

    type: Literal["match"]
    id: Id
    match: Id
    game: GameName
    options: Options = {}
    players: Annotated[list[Spec], Field(min_length=2, max_length=2)]
    games: Annotated[int, Field(ge=2, le=1000, multiple_of=2)] = 10
    seq: Annotated[int, Field(ge=0)] = 0


class Follow(Message):
    """A training run, as it writes."""

    type: Literal["follow"]
    id: Id
    run: Annotated[str, Field(min_length=1, max_length=100)]
    after: Annotated[int, Field(ge=0)] = 0


class Stop(Message):
    """The end of a stream."""

    type: Literal["stop"]
    what: Id


Heard = Annotated[
    New | Resume | Move | Undo | Resign | Offer | Rest | Sit | Analyse | Judge | Match | Follow | Stop,
    Field(discriminator="type"),
]
