"""A running game: its events, and the position they lead to. No clock ticks and nobody is told here.

A table is its events: what happens is first made into events, kept by whoever owns the table, and only then taken in.
So a table read again from its events is the same table, and a move that was kept is never lost or made twice.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from qilin.errors import QilinError
from qilin.game_file import AGREED
from qilin.state import Game, State, game
from qilin.view import said, view_of
from qilin.web.clock import Clock
from qilin.web.errors import Forbidden, Invalid, Stale

HUMAN = "human"
Event = dict[str, Any]
Chance = Callable[[State], str]


def draw_chance(state: State) -> str:
    """An answer of chance by its exact probabilities, decided in this moment: there was no layout before."""
    names, chances = zip(*state.outcomes().items(), strict=True)
    return str(random.SystemRandom().choices(names, chances)[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who sits there: a person, or a player's spec."""

    player: str = HUMAN
    name: str = ""

    @property
    def is_human(self) -> bool:
        """Whether a person moves."""
        return self.player == HUMAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a table began: with its events, all there is to keep."""

    id: str
    keys: tuple[str, str]  # who knows a seat's key may act for it
    game: str
    options: dict[str, str | int]
    position: str
    moves: tuple[str, ...] = ()
    seats: tuple[Seat, Seat]
    clock: Clock | None = None
    undo: bool = True

    def of(self) -> Game:
        """The game that is played."""
        return game(self.game, **self.options)

    def root(self) -> State:
        """The position that the table's first event follows."""
        state = self.of().parse(self.position)
        for move in self.moves:
            state = state.play(move)
        return state


def fresh_keys() -> tuple[str, tuple[str, str]]:
    """A new table's name and its seats' keys."""
    return secrets.token_urlsafe(9), (secrets.token_urlsafe(16), secrets.token_urlsafe(16))


@dataclass(slots=True)
class Table:
    """A game as its events made it."""

    setup: Setup
    chance: Chance = draw_chance
    state: State = field(init=False)
    seats: list[Seat] = field(init=False)
    events: list[Event] = field(init=False, default_factory=list)
    plies: list[dict[str, Any]] = field(init=False, default_factory=list)  # the moves as they are shown
    over: dict[str, Any] | None = field(init=False, default=None)
    offers: list[dict[str, Any]] = field(init=False, default_factory=list)
    paused: bool = field(init=False, default=False)
    clocks: list[float] | None = field(init=False, default=None)
    since: float = field(init=False, default=0.0)  # when the running clock began to run, in seconds of the game
    ids: dict[str, int] = field(init=False, default_factory=dict)  # of moves, and the events they became
    _view: tuple[State, bool, dict[str, Any]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Begin at the setup's position."""
        self.state = self.setup.root()
        self.seats = list(self.setup.seats)
        clock = self.setup.clock
        self.clocks = None if clock is None else [clock.start, clock.start]
        self.plies = [{"text": text, "by": None, "millis": 0} for text in self.state.history]
        states = self._states()
        for shown, before in zip(self.plies, states, strict=False):
            shown["by"] = before.to_move
        self.over = view_of(self.state, moves=False)["over"]

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.events)

    @property
    def ply(self) -> int:
        """How long the history is."""
        return len(self.plies)

    @property
    def to_act(self) -> int | None:
        """The seat that is to move; None when the game rests or is over."""
        return None if self.over or self.paused else self.state.to_move

    def seats_of(self, keys: Sequence[str]) -> frozenset[int]:
        """The seats that these keys open."""
        own = self.setup.keys
        return frozenset(seat for seat in (0, 1) if any(secrets.compare_digest(own[seat], key) for key in keys))

    # What may be asked: each answers the events that it makes. `now` is in seconds since the game began.

    def begin(self, now: float) -> list[Event]:
        """The first event, and what chance and the rules add to it."""
        return self._numbered([{"kind": "begin"}, *self._settle(self.state)[1]], now)

    def move(self, seat: int, ply: int, move: str, now: float, id: str | None = None) -> list[Event]:
        """A ply of a seat, what chance answers, and the end of the game if it is one."""
        if self.over:
            raise Stale(f"{move!r} can not be played: the game is over ({self.over['reason']})")
        if ply != self.ply:
            raise Stale(f"{move!r} was meant for ply {ply}, and the game is at ply {self.ply}")
        if self.paused:
            raise Invalid("the game rests: let it go on first")
        if self.state.to_move != seat:
            raise Forbidden(f"{move!r}: it is the other side's turn")
        after, answers = self._settle(self.state.play(move))
        event = {"kind": "move", "by": seat, "move": move, "id": id}
        clocks = self._clocks_after(after, now)
        return self._numbered([event, *answers], now, clocks)

    def _settle(self, state: State) -> tuple[State, list[Event]]:
        """The state once chance has answered, and the events of that and of the game's end."""
        events: list[Event] = []
        while state.is_chance:
            outcome = self.chance(state)
            state = state.play(outcome)
            events.append({"kind": "chance", "outcome": outcome})
        if state.is_over:
            ended = view_of(state, moves=False)["over"]
            events.append({"kind": "over", **ended})
        return state, events

    def undo_target(self, seats: frozenset[int], by: str) -> int | None:
        """The ply to go back to: the last decision of these seats, or the beginning of their last turn."""
        if not self.setup.undo or not seats:
            return None
        state, ply = self.state, self.ply
        while state.parent is not None and ply > len(self.setup.moves):
            state, ply = state.parent, ply - 1
            if state.is_chance:
                return None  # what was turned up is known by now
            before = state.parent
            in_turn = before is not None and before.to_move == state.to_move and ply > len(self.setup.moves)
            if state.to_move in seats and (by == "ply" or not in_turn):
                return ply
        return None

    def undo(self, seats: frozenset[int], by: str, now: float) -> list[Event]:
        """Take back: a turn, or a ply. Both people have to want it, where there are two."""
        asked = [offer for offer in self.offers if offer["what"] == "undo"]
        humans = frozenset(seat for seat in (0, 1) if self.seats[seat].is_human)
        wanted = frozenset(offer["by"] for offer in asked) or humans & seats
        if not humans <= seats | frozenset(offer["by"] for offer in asked):
            raise Forbidden("the other person has to agree: offer it")
        target = self.undo_target(wanted, by)
        if target is None:
            raise Invalid("there is nothing that can be taken back here")
        return self._numbered([{"kind": "undo", "by": min(wanted), "removed": self.ply - target, "to": target}], now)

    def end(self, winner: int | None, reason: str, now: float) -> list[Event]:
        """The game ends otherwise than by the rules: resignation, time, agreement."""
        if self.over:
            raise Stale(f"the game is over ({self.over['reason']})")
        ended = {"winner": winner, "reason": reason, "words": said(AGREED[reason]), "margin": None}
        return self._numbered([{"kind": "over", **ended}], now, self._clocks_after(self.state, now, stop=True))

    def offer(self, seat: int, what: str, now: float) -> list[Event]:
        """Offer a draw, or to take back, to another person."""
        if not self.seats[1 - seat].is_human:
            raise Invalid("an engine takes no offers")
        if self.over and what == "draw":
            raise Stale("the game is over")
        if {"by": seat, "what": what} in self.offers:
            return []
        return self._numbered([{"kind": "offer", "by": seat, "what": what}], now)

    def accept(self, seat: int, what: str, now: float) -> list[Event]:
        """Take what the other side offers."""
        if {"by": 1 - seat, "what": what} not in self.offers:
            raise Invalid(f"the other side does not offer: {what}")
        return self.end(None, "agreement", now) if what == "draw" else self.undo(frozenset({0, 1}), "turn", now)

    def decline(self, seat: int, what: str, now: float) -> list[Event]:
        """Do not take it; or take back an own offer."""
        if not any(offer["what"] == what for offer in self.offers):
            return []
        return self._numbered([{"kind": "decline", "by": seat, "what": what}], now)

    def rest(self, now: float, *, paused: bool) -> list[Event]:
        """Let engines and clocks rest, or go on."""
        if paused == self.paused or self.over:
            return []
        clocks = self._clocks_after(self.state, now, stop=True) if paused else self.clocks
        return self._numbered([{"kind": "pause" if paused else "go"}], now, clocks)

    def sit(self, seat: int, player: str, name: str, now: float) -> list[Event]:
        """Give a seat to somebody else."""
        return self._numbered([{"kind": "seat", "seat": seat, "player": player, "name": name}], now)

    def time_left(self, now: float) -> float | None:
        """Seconds of the side to move; None where no clock runs."""
        if self.clocks is None or self.to_act is None:
            return None
        return self.clocks[self.to_act] - (now - self.since)

    def share(self, now: float) -> float:
        """Seconds that an engine may spend on its move."""
        left = self.time_left(now)
        return math.inf if left is None or self.setup.clock is None else self.setup.clock.share(left)

    def _clocks_after(self, after: State, now: float, *, stop: bool = False) -> list[float] | None:
        if self.clocks is None or self.to_act is None:
            return self.clocks
        assert self.setup.clock is not None
        clocks, mover = list(self.clocks), self.to_act
        clocks[mover] = max(0.0, clocks[mover] - (now - self.since))
        if not stop and after.to_move != mover:
            clocks[mover] = self.setup.clock.after_turn(clocks[mover])
        return [round(left, 3) for left in clocks]

    def _numbered(self, events: list[Event], now: float, clocks: list[float] | None = None) -> list[Event]:
        ply, numbered = self.ply, []
        clocks = self._clocks_after(self.state, now, stop=True) if clocks is None else clocks
        for seq, event in enumerate(events, self.seq + 1):
            ply = event.get("to", ply + (event["kind"] in {"move", "chance"}))
            stamp = {"seq": seq, "ply": ply, "millis": round(now * 1e3), "clocks": clocks}
            numbered.append({**stamp, **event})
        return numbered

    # What events do. Events that were kept are taken in by the same code as new ones.

    def take(self, event: Event) -> None:
        """Let an event happen."""
        assert event["seq"] == self.seq + 1
        TAKE[event["kind"]](self, event)
        self.clocks = event["clocks"]
        self.since = event["millis"] / 1e3
        self.events.append(event)

    def _take_move(self, event: Event) -> None:
        self._advance(event["move"], event["by"], event["millis"])
        self.offers = []
        if event["id"] is not None:
            self.ids[event["id"]] = event["seq"]

    def _take_chance(self, event: Event) -> None:
        self._advance(event["outcome"], None, event["millis"])

    def _advance(self, text: str, by: int | None, millis: int) -> None:
        self.state = self.state.play(text)
        self.plies.append({"text": text, "by": by, "millis": millis})

    def _take_undo(self, event: Event) -> None:
        for _ in range(event["removed"]):
            assert self.state.parent is not None
            self.state = self.state.parent
            self.plies.pop()
        self.over, self.offers = None, []

    def _take_over(self, event: Event) -> None:
        self.over = {key: event[key] for key in ("winner", "reason", "words", "margin")}
        self.offers = []

    def _take_offer(self, event: Event) -> None:
        self.offers.append({"by": event["by"], "what": event["what"]})

    def _take_decline(self, event: Event) -> None:
        self.offers = [offer for offer in self.offers if offer["what"] != event["what"]]

    def _take_rest(self, event: Event) -> None:
        self.paused = event["kind"] == "pause"

    def _take_seat(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat(player=event["player"], name=event["name"])
        self.offers = []

    def _take_begin(self, event: Event) -> None:
        """Nothing else happens."""

    def shown(self, keys: frozenset[int], now: float) -> dict[str, Any]:
        """The table for a client that may act for `keys`; see STATE in docs/web_api.md."""
        clocks, acting = self.clocks, self.to_act
        if clocks is not None and acting is not None:
            clocks = [left - (now - self.since) * (seat == acting) for seat, left in enumerate(clocks)]
        return {
            "game": self.setup.id,
            "seq": self.seq,
            "name": self.setup.game,
            "options": self.setup.options,
            "start": self.setup.position,
            "moves": self.plies,
            "seats": [{"player": s.player, "name": s.name, "mine": i in keys} for i, s in enumerate(self.seats)],
            "clock": None if self.setup.clock is None else asdict(self.setup.clock),
            "clocks": clocks,
            "running": acting,
            "over": self.over,
            "offers": self.offers,
            "paused": self.paused,
            "can_undo": self.undo_target(self._human(keys), "turn") is not None,
            "view": self.view(),
        }

    def view(self) -> dict[str, Any]:
        """The view of the position, made once."""
        is_open = not self.over
        if self._view is None or self._view[0] is not self.state or self._view[1] != is_open:
            self._view = (self.state, is_open, view_of(self.state, moves=is_open))
        return self._view[2]

    def _human(self, keys: frozenset[int]) -> frozenset[int]:
        return frozenset(seat for seat in keys if self.seats[seat].is_human)

    def _states(self) -> list[State]:
        states: list[State] = []
        state: State | None = self.state
        while state is not None:
            states.append(state)
            state = state.parent
        return states[::-1]


TAKE: dict[str, Callable[[Table, Event], None]] = {
    "begin": Table._take_begin,
    "move": Table._take_move,
    "chance": Table._take_chance,
    "undo": Table._take_undo,
    "over": Table._take_over,
    "offer": Table._take_offer,
    "decline": Table._take_decline,
    "pause": Table._take_rest,
    "go": Table._take_rest,
    "seat": Table._take_seat,
}


def table_from(setup: Setup, events: Sequence[Event]) -> Table:
    """The table that these events made.

    :raises QilinError: where they can not have happened: then the file is damaged.
    """
    table = Table(setup)
    try:
        for event in events:
            table.take(event)
    except (KeyError, AssertionError, TypeError) as error:
        raise QilinError(f"the events of game {setup.id} do not fit together: {error!r}") from None
    return table
