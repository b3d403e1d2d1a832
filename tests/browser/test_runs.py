"""The training page follows a run while it is written, and its checkpoints are opponents."""

from __future__ import annotations

import json
from pathlib import Path

from metrics_of_a_run import record
from runs_for_pages import write_games
from visitor import Visit
from web_server import Server


def test_a_run_is_followed_while_it_goes_on(visit: Visit, site: Server) -> None:
    """Figures and games come as they are written, without the page being loaded again."""
    visitor = visit()
    page, run = visitor.page, Path(site.folder) / "runs/evening"
    visitor.open("training/evening", ".live svg")
    assert page.locator(".live svg").count() == 6
    assert page.locator(".chart path.curve").count() >= 9
    assert page.locator(".numbers dd").first.inner_text() == "40 / 60"
    before = page.locator(".live").inner_html()
    with (run / "metrics.jsonl").open("a") as file:
        file.write(json.dumps(record(41)) + "\n")
    write_games(run / "games/000041-0.jsonl", "ataxx", 6)
    visitor.until(lambda: page.locator(".numbers dd").first.inner_text() == "41 / 60", "the next iteration")
    visitor.until(lambda: page.locator(".live").inner_html() != before, "its games")


def test_what_is_wrong_is_said_in_words(visit: Visit) -> None:
    said = {
        "en": ("Nearly every game is drawn", "of the games are drawn, so the value has little to learn from"),
        "zh": ("几乎全是和棋", "的对局是和棋，价值几乎学不到东西"),
    }
    for language, (words, details) in said.items():
        visitor = visit(language=language)
        visitor.open("training/night", ".warning")
        assert words in visitor.page.locator(".warning b").all_inner_texts()
        assert details in visitor.page.locator(".warning p").first.inner_text()


def test_a_checkpoint_is_played_against(visit: Visit) -> None:
    """One press to the setup, with the network chosen; then it answers."""
    visitor = visit()
    visitor.open("training/night", ".checkpoints a").click()
    visitor.sees("form.setup")
    assert visitor.page.get_by_label("Opponent").input_value() == "net:night@40"
    visitor.do("start")
    visitor.until(lambda: visitor.states, "the game")
    visitor.sees(".table-page .cell")
    visitor.click("d1")
    visitor.until(lambda: len(visitor.state["moves"]) == 2, "the network's answer", seconds=60)


def test_a_networks_raw_policy_is_a_heat_map_of_its_own(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open("analyse/connect_four?moves=d,d", ".grid")
    page.get_by_text("Engine settings").click()
    page.locator("details").get_by_label("Engine", exact=True).select_option("net:night@40")
    page.keyboard.press("e")
    visitor.sees(".pv")
    page.get_by_label("Heat map").select_option("visits")
    visitor.until(lambda: page.locator(".heat.visits").count(), "the share of visits")
    page.get_by_label("Heat map").select_option("policy")
    visitor.until(lambda: page.locator(".heat.policy").count() == 7, "the raw policy, in every column")
