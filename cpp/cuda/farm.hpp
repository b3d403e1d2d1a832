// Self-play as an object: planned, begun, and worked, wherever its memory lies.
//
//    memory   trees, one after the other │ plots │ yield │ under way
#pragma once

#include "cuda/field.hpp"
#include "cuda/plantation.hpp"
#include "search/garden.hpp"

namespace qilin::cuda {

template <Game G>
struct OpenAll {
  Field<G> field;
  template <class Group>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    open<G, Group>(field, grove, index);
  }
};

template <Game G>
struct TurnAll {
  Field<G> field;
  template <class Group>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    turn<G, Group>(field, grove, index);
  }
};

template <Game G>
struct ForgetAll {
  Field<G> field;
  template <class Group>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    forget<G, Group>(field, grove, index);
  }
};

template <Game G>
struct CountAll {
  Field<G> field;
  template <class Group>
  QILIN_HD void operator()(const Grove<G>& grove, u64 index) const {
    count<G, Group>(field.under_way, grove.tree(index));
  }
};

template <Game G>
struct TeachAll {
  Barn barn;
  Draw draw;
  template <class Group>
  QILIN_HD void operator()(u64 row) const {
    teach<G, Group>(barn, draw, row);
  }
};

template <Game G, class Place>
class Farm {
 public:
  using Stream = typename Place::Stream;
  using Trees = Plantation<G, Place>;

  Farm(const qilin_cuda_position& position, const forest::Search& search, const selfplay::Play& play, u32 trees,
       u64 seed, std::byte* memory, u64 bytes, const Barn& barn)
      : trees_(position, search, trees, seed, memory, bytes < needed(search, trees) ? 0 : bytes) {
    selfplay::check(play);
    if (barn.sample_room < selfplay::most_samples<G> || barn.game_room < 1) {
      refuse("a barn for " + std::to_string(barn.sample_room) + " samples and " + std::to_string(barn.game_room) +
             " games, expected room for " + std::to_string(selfplay::most_samples<G>) + " and for one");
    }
    std::byte* plots = memory + in_lines(Trees::bytes(search, trees));
    auto* yields = reinterpret_cast<Yield*>(plots + selfplay::plot_bytes<G>() * trees);
    field_ = {{search, play, state_of<G>(position), seed, trees}, plots, barn, yields, yields + 1};
    const Yield none;
    Place::write(field_.yield, &none, sizeof none);
    Place::run(grove(), OpenAll<G>{field_}, {});
  }

  [[nodiscard]] static u64 needed(const forest::Search& search, u32 trees) {
    return in_lines(Trees::bytes(search, trees)) + selfplay::plot_bytes<G>() * trees + 2 * sizeof(Yield);
  }

  [[nodiscard]] Trees& trees() { return trees_; }

  void turn(Stream stream) const { Place::run(grove(), TurnAll<G>{field_}, stream); }
  void forget(bool boosted, const Array<float, forest::most_tiers>& boosts, Stream stream) {
    field_.program.search.boosted = boosted;
    field_.program.search.boosts = boosts;
    trees_.set_boosts(boosted, boosts);
    Place::run(grove(), ForgetAll<G>{field_}, stream);
  }
  static void teach(const Barn& barn, const Draw& draw, u64 rows, Stream stream) {
    Place::template rows<G>(TeachAll<G>{barn, draw}, rows, stream);
  }

  // With what is under way: searches take long, and most trees end theirs at about the same time.
  [[nodiscard]] Yield yield() const {
    Yield done, rest;
    Place::write(field_.under_way, &rest, sizeof rest);
    Place::run(grove(), CountAll<G>{field_}, {});
    Place::read(&done, field_.yield, sizeof done);
    Place::read(&rest, field_.under_way, sizeof rest);
    done.simulations += rest.simulations;
    done.evaluations += rest.evaluations;
    return done;
  }

 private:
  [[nodiscard]] static u64 in_lines(u64 bytes) { return (bytes + 63) / 64 * 64; }
  [[nodiscard]] const Grove<G>& grove() const { return trees_.grove(); }

  Trees trees_;
  Field<G> field_;
};

}  // namespace qilin::cuda
