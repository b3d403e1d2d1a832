// A number that two trees share if they are the same to the last bit: nodes, edges, statistics, priors, random streams.
// What a tree no longer or not yet uses does not count.
#pragma once

#include "search/tree.hpp"

namespace qilin::forest {

template <Game G>
[[nodiscard]] u64 seal(const Tree<G>& tree) {
  const Head& head = *tree.head;
  u64 all = hash(head.key, head.searches, head.nodes, head.edges, head.simulations, head.refused, head.history);
  for (u32 i = 0; i < head.nodes; ++i) {
    const Node& node = tree.nodes[i];
    all = hash(all, node.key, node.first, node.count, node.opened, portable::to_bits(node.mass),
               portable::to_bits(node.value), static_cast<u64>(node.stage), G::key(tree.states[i]));
    for (u32 edge = node.first; edge < node.first + node.count; ++edge) {
      // The priors of a node that waits were never written.
      const bool known = node.stage != Stage::waiting;
      all = hash(all, tree.move[edge], known ? portable::to_bits(tree.prior[edge]) : 0);
    }
    for (u32 edge = node.first; edge < node.first + node.opened; ++edge) {
      const Stats& s = tree.stats[edge];
      all = hash(all, portable::to_bits(s.value), portable::to_bits(s.draws), s.visits, static_cast<u64>(s.proof.end()),
                 static_cast<u64>(s.proof.plies()), s.pending, tree.child[edge]);
    }
  }
  return hash(all, portable::to_bits(tree.stats[0].value), tree.stats[0].visits);
}

}  // namespace qilin::forest
