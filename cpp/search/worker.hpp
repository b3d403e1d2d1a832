// One thread's search: negamax in form, principal variation search in order, over positions copied into a frame a ply.
//
//   search ── each move ──> seen_by ──> search              the next player's score, turned if he is the other one
//      │                       └──────> average ──> …       over the outcomes of chance
//      └─ depth 0 ──> settle ── each noisy move ──> …        quiescence
//
// Nothing is allocated below the root. A node is a call of `search`; quiescence runs through it too.
//
// The table and the past. A key ignores counters and the past, on purpose: positions reached in another order are the
// same work. So an entry may hide a repetition or a limit. Three things keep that harmless: repetition and limits are
// tested before the table is asked; the principal variation never ends at an entry; and where a counter is about to end
// the game (`Evaluation::plies_left`) its value becomes part of the key. `strict` goes all the way: entries are bound
// to the counters, the past and the very depth, and the search is plain minimax.
#pragma once

#include "search/analysis.hpp"
#include "search/expectation.hpp"
#include "search/path.hpp"
#include "search/selectivity.hpp"

namespace qilin::alphabeta {

template <Game G>
class Worker {
 public:
  using State = typename G::State;

  Worker(const Options& options, Table& table) : options_(options), table_(table) {}

  void begin(const Line<G>& line, Clock& clock) {
    clock_ = &clock;
    nodes_ = told_ = 0;
    next_tell_ = clock.allowance();
    stopped_ = false;
    history_.fade();
    path_.begin(line);
  }
  void begin_depth() { seldepth_ = 0; }
  void end() { tell(); }  // counts what is not yet counted
  void clear() { history_.clear(); }

  // The `index`-th move at the root: its score for the player to move there.
  Score try_root(Move move, int index, int depth, const Window& window) {
    return try_move({.ply = 0, .depth = depth, .window = window, .principal = true}, {move, rank(move)}, index);
  }
  // The root itself, where chance is to answer there.
  Score average_root(int depth, const Window& window) {
    return seen_by(path_[0].player(), {.ply = 0, .depth = depth, .window = window});
  }

  // The line behind the root move just searched.
  [[nodiscard]] const auto& line() const { return path_[1].line; }
  [[nodiscard]] bool is_stopped() const { return stopped_; }
  [[nodiscard]] int seldepth() const { return seldepth_; }
  [[nodiscard]] u64 nodes() const { return nodes_; }
  [[nodiscard]] int rank(Move move) const { return rank(path_[0], move); }
  [[nodiscard]] Score opinion() const { return opinion(path_[0].state); }

 private:
  struct Node {
    int ply, depth;
    Window window;
    bool principal = false;  // on the path that both sides' best play is thought to take
    bool in_danger = false;
    Move hint = no_move;
    Score opinion = 0;
  };

  // ---- whose score it is

  // The score of the position at a node for `player`: the one place where a score changes sides.
  Score seen_by(int player, Node node) {
    if (path_[node.ply].player() == player) return visit(node);
    node.window = -node.window;
    return -visit(node);
  }

  Score visit(const Node& node) {
    if constexpr (HasChance<G>) {
      Frame<G>& frame = path_[node.ply];
      if (G::is_chance(frame.state)) {
        const State before = frame.state;
        const Past past = frame.past;
        path_.sign(node.ply);
        const Score score = average(node, before, past);
        frame.state = before;  // it may be searched again
        frame.past = past;
        frame.is_signed = false;
        frame.line.length = 0;
        return score;
      }
    }
    return search(node);
  }

  Score average(const Node& node, const State& before, Past past)
    requires HasChance<G>
  {
    const Outcomes<G> outcomes(before);
    Expectation<G> mean(outcomes.total);
    for (const auto& [outcome, weight] : outcomes.list) {
      const Window inner = mean.window(weight, node.window);
      path_.enter(node.ply, before, past, G::resolve(before, outcome));
      const Score score = seen_by(G::to_move(before), {.ply = node.ply, .depth = node.depth, .window = inner});
      if (stopped_) return 0;
      mean.add(weight, score);
      if (score >= inner.beta) return std::max(node.window.beta, mean.at_least());
      if (score <= inner.alpha) return std::min(node.window.alpha, mean.at_most());
    }
    return mean.value();
  }

  // ---- one position

  Score search(Node node) {
    Frame<G>& frame = path_[node.ply];
    frame.line.length = 0;
    if (is_stopped_at(node.ply)) return 0;
    node.in_danger = options_.selective && is_in_danger(frame.state);
    if (node.in_danger) node.depth = std::max(node.depth + 1, 1);
    if (node.ply == max_height) node.depth = 0;
    if (node.depth > 0 || frame.past.length > 0) path_.sign(node.ply);
    if (const Result r = standing(node); r.over()) return final(r, node.ply);
    if (node.depth <= 0) return settle(node);
    node.window = {std::max(node.window.alpha, loss_in(node.ply)), std::min(node.window.beta, win_in(node.ply + 1))};
    if (node.window.alpha >= node.window.beta) return node.window.alpha;
    return look_up(node);
  }

  // Moves are gathered as late as can be, since many positions are cut off before; but where a game has checks, whether
  // it is over is as dear a question as what moves there are. Gathering takes as long as the table's answer takes to
  // come from memory: late gatherers ask for it ahead.
  static constexpr bool gathers_early = HasDanger<G>;

  Result standing(const Node& node) {
    Frame<G>& frame = path_[node.ply];
    if (node.depth > 0) table_.prefetch(frame.key);
    if constexpr (HasPast<G>) {
      if (options_.selective) {
        if (const Result r = path_.cycle(node.ply); r.over()) return r;
      }
    }
    if (!gathers_early || node.depth <= 0) return result<G>(frame.state, frame.past);
    gather(frame);
    return frame.moves.empty() ? result<G>(frame.state, frame.past) : Result{};
  }

  Score look_up(Node& node) {
    const u64 identity = identity_of(node.ply);
    const auto hit = table_.find(identity);
    if (hit && !node.principal && serves(*hit, node)) return from_root(hit->score, node.ply);
    if (hit) node.hint = hit->move;
    node.opinion = hit ? hit->evaluation : opinion(path_[node.ply].state);
    if (const auto score = prune(node)) return *score;
    if (stopped_) return 0;
    const int depth = node.depth;
    if (options_.selective && !hit && depth >= selectivity::unknown_depth) --node.depth;
    const Best found = best(node);
    if (stopped_) return 0;
    table_.keep(identity, {found.move, from_here(found.score, node.ply), node.opinion, depth,
                           bound_of(found.score, node.window)});
    return found.score;
  }

  // What makes a position the same as another, for the table.
  [[nodiscard]] u64 identity_of(int ply) const {
    if (options_.strict) return path_.whole_identity(ply);
    if constexpr (HasLimit<G>) {
      const int left = Evaluation<G>::plies_left(path_[ply].state);
      if (left < selectivity::limit_horizon) return hash(path_[ply].key, static_cast<u64>(left));
    }
    return path_[ply].key;
  }

  [[nodiscard]] bool serves(const Table::Entry& entry, const Node& node) const {
    const bool deep = options_.strict ? entry.depth == node.depth : entry.depth >= node.depth;
    return deep && decides(from_root(entry.score, node.ply), entry.bound, node.window);
  }

  // Cut-offs that look at no move, or at none of the mover's.
  std::optional<Score> prune(const Node& node) {
    if (!options_.selective || !node.window.is_null() || node.in_danger) return std::nullopt;
    if (is_proven(node.window.beta)) return std::nullopt;
    const Score margin = selectivity::margin<G>(node.depth);
    if (margin && node.opinion - margin >= node.window.beta) return node.opinion - margin;
    if constexpr (HasPass<G>) return after_pass(node);
    return std::nullopt;
  }

  // Null move: who is above beta even after giving a ply away is above beta.
  std::optional<Score> after_pass(const Node& node)
    requires HasPass<G>
  {
    const Frame<G>& frame = path_[node.ply];
    if (frame.passed || node.depth < selectivity::pass_depth || node.opinion < node.window.beta) return std::nullopt;
    if (!Evaluation<G>::can_pass(frame.state)) return std::nullopt;
    path_.pass(node.ply, Evaluation<G>::pass(frame.state));
    const int depth = node.depth - selectivity::pass_reduction(node.depth);
    const Score score = seen_by(frame.player(), {.ply = node.ply + 1, .depth = depth, .window = node.window});
    if (stopped_ || score < node.window.beta) return std::nullopt;
    return is_proven(score) ? node.window.beta : score;
  }

  struct Best {
    Score score = -infinite;
    Move move = no_move;
  };

  Best best(const Node& node) {
    Frame<G>& frame = path_[node.ply];
    if constexpr (HasPromising<G>) {
      if (options_.selective && !node.principal && node.depth <= selectivity::promising_depth) {
        frame.moves.clear();
        Evaluation<G>::promising(frame.state, frame.past, [&](Move move) { frame.moves.push(move); });
        const Best found = best_of_gathered(node);
        if (stopped_ || !is_loss(found.score))
          return found;  // if they lose, or there are none: who knows what does not
      }
    }
    if (!gathers_early) gather(frame);
    return best_of_gathered(node);
  }

  Best best_of_gathered(Node node) {
    Frame<G>& frame = path_[node.ply];
    frame.moves.put_first(node.hint);
    Best best;
    for (int i = 0; !frame.moves.empty(); ++i) {
      if (i > 0 && is_enough(node, i, best.score)) break;
      const Pick pick = frame.moves.next([&](Move move) { return rank(frame, move); });
      if (!gathers_early && i > 0 && node.depth > 1) announce(frame);
      const Score score = try_move(node, pick, i);
      if (stopped_) return best;
      if (score <= best.score) continue;
      best.score = score;
      if (score <= node.window.alpha) continue;
      best.move = pick.move;
      node.window.alpha = score;
      if (node.principal) frame.lead(pick.move, path_[node.ply + 1]);
      if (score < node.window.beta) continue;
      remember(node, i);
      break;
    }
    return best;
  }

  // The next move's position will be looked up: memory can bring it while this move is searched.
  void announce(Frame<G>& frame) {
    if (!frame.moves.empty()) table_.prefetch(G::key(G::play(frame.state, frame.moves.coming())));
  }

  // The first move is searched with the open window; the others have to be shown to be no better than alpha, and are
  // searched in earnest when they turn out to be.
  Score try_move(const Node& node, const Pick& pick, int index) {
    const int player = path_[node.ply].player();
    path_.play(node.ply, pick.move);
    Node next{.ply = node.ply + 1, .depth = node.depth - 1, .window = node.window, .principal = node.principal};
    if (index == 0) return seen_by(player, next);
    Node scout{.ply = next.ply, .depth = next.depth, .window = {node.window.alpha, node.window.alpha + 1}};
    scout.depth -= reduction(node, pick, index);
    Score score = seen_by(player, scout);
    if (score > node.window.alpha && scout.depth < next.depth && !stopped_) {
      scout.depth = next.depth;
      score = seen_by(player, scout);
    }
    const bool unclear = score > node.window.alpha && score < node.window.beta && !stopped_;
    return unclear ? seen_by(player, next) : score;
  }

  // ---- where the depth ends

  Score settle(const Node& node) {
    if constexpr (HasNoisy<G> || HasNoisyMoves<G>) {
      if (options_.quiescence && node.depth > -selectivity::longest_quiescence && node.ply < max_height)
        return settle_noise(node);
    }
    return opinion(path_[node.ply].state);
  }

  // The player to move may take the opinion as it stands, or try to better it by a noisy move.
  Score settle_noise(Node node) {
    Frame<G>& frame = path_[node.ply];
    Score best = opinion(frame.state);
    if (best >= node.window.beta) return best;
    node.window.alpha = std::max(node.window.alpha, best);
    gather_noise(frame);
    while (!frame.moves.empty()) {
      const Pick pick = frame.moves.next([&](Move move) { return Evaluation<G>::order(frame.state, move); });
      const Score score = try_move(node, pick, 0);
      if (stopped_) return 0;
      best = std::max(best, score);
      if (best >= node.window.beta) break;
      if (best <= node.window.alpha) continue;
      node.window.alpha = best;
      if (node.principal) frame.lead(pick.move, path_[node.ply + 1]);
    }
    return best;
  }

  // ---- the order of moves

  void gather(Frame<G>& frame) {
    frame.moves.clear();
    legal<G>(frame.state, frame.past, [&](Move move) { frame.moves.push(move); });
  }

  void gather_noise(Frame<G>& frame) {
    frame.moves.clear();
    if constexpr (HasNoisyMoves<G>) {
      Evaluation<G>::noisy_moves(frame.state, [&](Move move) { frame.moves.push(move); });
    } else {
      legal<G>(frame.state, frame.past, [&](Move move) {
        if (is_noisy(frame.state, move)) frame.moves.push(move);
      });
    }
  }

  [[nodiscard]] int rank(const Frame<G>& frame, Move move) const {
    const int order = Evaluation<G>::order(frame.state, move);
    if (is_noisy(frame.state, move)) return selectivity::noisy_rank + order;
    if (move == frame.killers.first) return selectivity::killer_rank + 1;
    if (move == frame.killers.second) return selectivity::killer_rank;
    return trust_in<G>.order * order + history_(frame.player(), move);
  }

  // A refutation is a merit of its move, and a fault of those that were tried before it.
  void remember(const Node& node, int index) {
    Frame<G>& frame = path_[node.ply];
    const int bonus = selectivity::bonus(node.depth);
    for (int i = 0; i <= index; ++i) {
      const auto [move, rank] = frame.moves[i];
      if (selectivity::is_noisy(rank)) continue;
      history_.reward(frame.player(), move, i == index ? bonus : -bonus);
      if (i == index) frame.killers.add(move);
    }
  }

  // ---- how deep to look

  [[nodiscard]] int reduction(const Node& node, const Pick& pick, int index) const {
    if (!options_.selective || node.in_danger || node.depth < 3 || selectivity::is_noisy(pick.rank)) return 0;
    const int merit = history_(path_[node.ply].player(), pick.move) / selectivity::merit_of_a_ply;
    return std::clamp(selectivity::reduction<G>(node.depth, index) - node.principal - merit, 0, node.depth - 2);
  }

  // So late a move at so little depth will not change the verdict.
  [[nodiscard]] bool is_enough(const Node& node, int index, Score best) const {
    if (!options_.selective || node.principal || node.in_danger || is_loss(best)) return false;
    return index >= selectivity::enough_moves(node.depth);
  }

  // ---- what a game may offer

  [[nodiscard]] static bool is_noisy(const State& state, Move move) {
    if constexpr (HasNoisy<G>) return Evaluation<G>::noisy(state, move);
    return false;
  }
  [[nodiscard]] static bool is_in_danger(const State& state) {
    if constexpr (HasDanger<G>) return Evaluation<G>::in_danger(state);
    return false;
  }
  [[nodiscard]] static Score opinion(const State& state) {
    return std::clamp(Evaluation<G>::evaluate(state), -max_evaluation, max_evaluation);
  }

  [[nodiscard]] Score final(const Result& r, int ply) const {
    const int value = r.value(path_[ply].player());
    return value > 0 ? win_in(ply) : value < 0 ? loss_in(ply) : 0;
  }

  // Counts a node.
  bool is_stopped_at(int ply) {
    seldepth_ = std::max(seldepth_, ply);
    if (++nodes_ >= next_tell_) tell();
    return stopped_;
  }
  void tell() {
    clock_->tell(nodes_ - told_);
    told_ = nodes_;
    next_tell_ = nodes_ + clock_->allowance();
    stopped_ = clock_->is_stopped();
  }

  Options options_;
  Table& table_;
  Clock* clock_ = nullptr;
  Path<G> path_;
  History<G> history_;
  u64 nodes_ = 0, told_ = 0, next_tell_ = 0;
  int seldepth_ = 0;
  bool stopped_ = false;
};

}  // namespace qilin::alphabeta
