// A tree for people and for other programs.
//
//     xiangqi  801 visits  value +0.12  win 0.56 draw 0.00 loss 0.44  best h2e2
//     h2e2        301  Q +0.15  P 0.023
//       h9g7      120  Q -0.14  P 0.025
//     b2e2        ...
//
// Q is that of the player who chooses the move; at a chance node, of the one whose ply chance answers.
#pragma once

#include <cstdio>

#include "search/report.hpp"

namespace qilin::forest {

// How much of a tree is shown.
struct Excerpt {
  int depth = 2;        // plies, chance's among them
  int visits = 1;       // an edge has at least so many
  int width = 1 << 16;  // edges of one node, the most visited ones
};

inline std::string formatted(const char* format, double x) {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

// "win in 3", seen by `player`; empty: nothing is proven.
[[nodiscard]] inline std::string proof_text(Proof proof, int player) {
  if (!proof.known()) return "";
  const char* what = proof.drawn() ? "draw" : proof.value(player) > 0 ? "win" : "loss";
  return std::string(what) + " in " + std::to_string(proof.plies());
}

// `"` and `\` do not occur in moves and positions as yet; whoever brings them is safe all the same.
[[nodiscard]] inline std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

template <Game G>
class Printer {
 public:
  Printer(const Search& search, const Tree<G>& tree, const Excerpt& excerpt)
      : tree_(tree), excerpt_(excerpt), report_(Reporter<G>(search, tree).report()), decision_(search, tree) {}

  [[nodiscard]] std::string text() const {
    std::string out = std::string(G::name) + "  " + std::to_string(report_.visits) + " visits  value " +
                      formatted("%+.3f", report_.value) + "  win " + formatted("%.3f", report_.odds.win) + " draw " +
                      formatted("%.3f", report_.odds.draw) + " loss " + formatted("%.3f", report_.odds.loss);
    if (report_.proof.known()) out += "  " + proof_text(report_.proof, report_.to_move);
    if (!report_.variation.empty()) out += "  best " + report_.variation[0].text;
    out += '\n';
    add_lines(out, 0, 0);
    return out;
  }

  [[nodiscard]] std::string json() const {
    std::string out = "{\"game\":" + json_text(G::name) + ",\"position\":" + json_text(G::text(tree_.states[0])) +
                      ",\"to_move\":" + std::to_string(report_.to_move) +
                      ",\"simulations\":" + std::to_string(report_.simulations) +
                      ",\"nodes\":" + std::to_string(report_.nodes) + ",\"refused\":" + std::to_string(report_.refused);
    add_stats(out, report_.visits, report_.value, report_.odds.draw, proof_text(report_.proof, report_.to_move));
    out += ",\"variation\":[";
    for (std::size_t i = 0; i < report_.variation.size(); ++i) {
      if (i) out += ',';
      out += json_text(report_.variation[i].text);
    }
    out += ']';
    add_children(out, 0, 0);
    return out + '}';
  }

  // The lines below a node, for comparing subtrees.
  [[nodiscard]] std::string moves_below(u32 node) const {
    std::string out;
    add_lines(out, node, 0);
    return out;
  }

 private:
  // The edges of a node that are shown, most visited first.
  [[nodiscard]] std::vector<u32> shown(u32 node) const {
    const Node& n = tree_.nodes[node];
    std::vector<u32> edges;
    for (u32 edge = n.first; edge < n.first + n.opened; ++edge) {
      if (tree_.stats[edge].visits >= static_cast<u32>(std::max(1, excerpt_.visits))) edges.push_back(edge);
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [this](u32 a, u32 b) { return tree_.stats[a].visits > tree_.stats[b].visits; });
    if (edges.size() > static_cast<std::size_t>(excerpt_.width)) edges.resize(static_cast<std::size_t>(excerpt_.width));
    return edges;
  }

  // A probability at a chance node; at the root, without noise.
  [[nodiscard]] float prior(u32 node, u32 edge) const {
    const Node& n = tree_.nodes[node];
    if (n.chance) return tree_.prior[edge] / n.mass;
    return node == 0 ? decision_.prior(static_cast<int>(edge - n.first)) : tree_.prior[edge];
  }

  void add_lines(std::string& out, u32 node, int depth) const {
    if (depth == excerpt_.depth) return;
    const int mover = tree_.nodes[node].mover;
    for (const u32 edge : shown(node)) {
      const Stats& s = tree_.stats[edge];
      const std::string name(static_cast<std::size_t>(2 * depth), ' ');
      char line[96];
      std::snprintf(line, sizeof line, "%-14s%8u  Q %+.3f  P %.3f", (name + edge_text(tree_, node, edge)).c_str(),
                    s.visits, static_cast<double>(mover == 0 ? s.value : -s.value),
                    static_cast<double>(prior(node, edge)));
      out += line;
      if (s.proof.known()) out += "  " + proof_text(s.proof, mover);
      out += '\n';
      if (tree_.child[edge]) add_lines(out, tree_.child[edge], depth + 1);
    }
  }

  static void add_stats(std::string& out, u32 visits, float value, float draws, const std::string& proof) {
    out += ",\"visits\":" + std::to_string(visits) + ",\"value\":" + formatted("%.6g", static_cast<double>(value)) +
           ",\"draws\":" + formatted("%.6g", static_cast<double>(draws));
    if (!proof.empty()) out += ",\"proof\":" + json_text(proof);
  }

  void add_children(std::string& out, u32 node, int depth) const {
    if (depth == excerpt_.depth) return;
    const Node& n = tree_.nodes[node];
    out += n.chance ? ",\"outcomes\":[" : ",\"moves\":[";
    bool first = true;
    for (const u32 edge : shown(node)) {
      out += first ? "{\"move\":" : ",{\"move\":";
      first = false;
      out += json_text(edge_text(tree_, node, edge)) + ",\"prior\":" + formatted("%.6g", prior(node, edge));
      const Stats& s = tree_.stats[edge];
      add_stats(out, s.visits, n.mover == 0 ? s.value : -s.value, s.draws, proof_text(s.proof, n.mover));
      if (tree_.child[edge]) add_children(out, tree_.child[edge], depth + 1);
      out += '}';
    }
    out += ']';
  }

  Tree<G> tree_;
  Excerpt excerpt_;
  Report report_;
  Decision<G, OneLane> decision_;
};

}  // namespace qilin::forest
