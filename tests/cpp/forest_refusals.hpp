// What the forest does when it is full, answered nonsense, or asked for the impossible.
#pragma once

#include "forest_fixture.hpp"

namespace qilin::forest::test {

template <Game G>
void stops_when_full() {
  where = std::string(G::name) + " full";
  const Search search = small(Kind::puct, 500);
  const auto lines = some_lines<G>(3);
  for (const Room& room : {Room{.nodes = 20, .edges = {}, .depth = {}}, Room{.nodes = {}, .edges = 300, .depth = {}},
                           Room{.nodes = {}, .edges = {}, .depth = 2}, Room{.nodes = 1, .edges = 0, .depth = 2}}) {
    Forest<G> forest(search, 3, 1, 1, room);
    plant_all(forest, lines);
    forest.run(Hashed{});
    forest.run(Hashed{});
    for (int i = 0; i < 3; ++i) {
      const Report r = forest.report(i);
      expect(r.refused > 0 && r.simulations == 500, "a full tree stops, and says how much was not done");
      expect(!room.nodes || r.nodes <= static_cast<u32>(*room.nodes), "no more nodes than there is room for");
      if (r.nodes > 1) expect(forest.choose(i).has_value(), "and has an answer");
    }
  }
}

template <class Act>
void refused(const char* what, Act&& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    expect(std::string(error.what()).size() > 10, "an error says what is wrong");
    return;
  }
  expect(false, std::string("refused: ") + what);
}

template <Game G>
void bad_answers_change_nothing() {
  where = std::string(G::name) + " bad answers";
  Search search = small(Kind::puct, 40);
  search.leaves = 2;
  Forest<G> forest(search, 3, 1, 2), good(search, 3, 1, 2);
  Answers<G> answers(forest);
  const float bad[] = {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  while (const int rows = forest.leaves(answers.planes.data())) {
    answers.look(rows);
    const std::string before = all_trees(forest);
    auto logits = answers.logits, values = answers.values;
    const auto grow = [&](Values form) { return [&, form] { forest.grow(logits, values, form); }; };
    logits.pop_back();
    refused("too few logits", grow(Values::scalar));
    logits = answers.logits;
    refused("values of another width", grow(Values::odds));
    values.push_back(0);
    refused("too many values", grow(Values::scalar));
    for (const float x : bad) {
      values = answers.values;
      values.back() = x;
      refused("a value that is no number", grow(Values::scalar));
      values = answers.values;
      for (int move = 1; move <= G::moves; ++move) logits[logits.size() - static_cast<std::size_t>(move)] = x;
      refused("logits that are no numbers", grow(Values::scalar));
      logits = answers.logits;
    }
    values.back() = 1.5F;
    refused("a value beyond a win", grow(Values::scalar));
    expect(all_trees(forest) == before, "a refused answer changes nothing");
    forest.grow(answers.logits, answers.values, Values::scalar);
    refused("answers that nobody asked for", [&] { forest.grow(answers.logits, answers.values, Values::scalar); });
  }
  good.run(Hashed{});
  expect(all_trees(good) == all_trees(forest), "and the search goes on as if nothing had been");
}

template <Game G>
void abandoned_leaves_come_again() {
  where = std::string(G::name) + " abandoned leaves";
  Search search = small(Kind::puct, 40);
  search.leaves = 4;
  Forest<G> forest(search, 2, 1);
  Answers<G> answers(forest);
  for (int i = 0; forest.leaves(answers.planes.data()) > 0; ++i) {
    if (i % 3 == 1) continue;
    answers.look(forest.rows());
    forest.grow(answers.logits, answers.values, Values::scalar);
  }
  forest.begin(0, 10);
  expect(forest.leaves(answers.planes.data()) > 0, "a search can be continued");
  forest.advance(0, *forest.choose(0));
  forest.run(Hashed{});
  Line<G> line(G::start(defaults<G>()));
  check_tree(forest, 1, line);
}

template <Game G>
void impossible_limits_are_refused() {
  where = std::string(G::name) + " limits";
  const auto with = [](auto change) {
    return [change] {
      Search search;
      change(search);
      Forest<G> forest(search, 1);
    };
  };
  refused("0 simulations", with([](Search& s) { s.simulations = 0; }));
  refused("no leaves", with([](Search& s) { s.leaves = 0; }));
  refused("a negative constant", with([](Search& s) { s.c_puct = -1; }));
  refused("a constant that is no number", with([](Search& s) { s.c_puct = std::nanf(""); }));
  refused("more noise than all", with([](Search& s) { s.noise_weight = 1.5F; }));
  refused("no trees", [] { Forest<G> forest({}, 0); });
  refused("no threads", [] { Forest<G> forest({}, 1, 0, 0); });
  refused("no room", [] { Forest<G> forest({}, 1, 0, 1, {.nodes = 0, .edges = {}, .depth = {}}); });
  Forest<G> forest(small(Kind::puct), 1);
  refused("0 more simulations", [&] { forest.begin(0, 0); });
  refused("a move that is none", [&] { forest.advance(0, G::moves); });
}

}  // namespace qilin::forest::test
