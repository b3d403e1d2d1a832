// The C interface: games of self-play.
#include "cuda/door.cuh"
#include "cuda/field.hpp"

using namespace qilin::cuda;

struct qilin_cuda_selfplay {
  const SelfPlayProgram* functions;
  Handle handle;
};

namespace {

template <class Body>
int with(const qilin_cuda_selfplay* games, Body&& body) {
  return guarded([&] {
    if (!games) qilin::refuse("the games can not be null");
    body(*games->functions, games->handle);
  });
}

qilin::selfplay::Play play_of(const qilin_cuda_play* from) {
  if (!from) qilin::refuse("the play can not be null");
  qilin::selfplay::Play play;
  play.opening_plies = from->opening_plies;
  play.first_plies = from->first_plies;
  play.fast_simulations = from->fast_simulations;
  play.reuse = from->reuse != 0;
  play.temperature = from->temperature;
  play.temperature_end = from->temperature_end;
  play.temperature_plies = from->temperature_plies;
  play.full_share = from->full_share;
  play.resign_below = from->resign_below;
  play.resign_check = from->resign_check;
  return play;
}

Barn barn_of(const qilin_cuda_barn* from) {
  if (!from || !from->samples || !from->games) qilin::refuse("the barn and its rings can not be null");
  return {static_cast<std::byte*>(from->samples), static_cast<std::byte*>(from->games), from->sample_room,
          from->game_room};
}

Draw draw_of(const qilin_cuda_examples& from, int slots) {
  Draw draw;
  draw.places = reinterpret_cast<const qilin::i64*>(from.places);
  draw.symmetries = from.symmetries;
  draw.mix = {from.search_share, from.soft_share, from.soft_scale, from.margin_scale};
  draw.planes = {from.planes.planes, number_of(from.planes.number), from.planes.channels};
  draw.to = {slots,
             reinterpret_cast<qilin::i64*>(from.moves),
             reinterpret_cast<bool*>(from.legal),
             from.shares,
             from.odds,
             reinterpret_cast<qilin::i64*>(from.reply),
             reinterpret_cast<bool*>(from.has_reply),
             from.margin,
             reinterpret_cast<qilin::i64*>(from.owner),
             from.plies_left,
             reinterpret_cast<bool*>(from.was_finished)};
  return draw;
}

}  // namespace

int qilin_cuda_selfplay_sizes(const char* game, const qilin_cuda_search* search, int trees, qilin_cuda_sizes* sizes) {
  return guarded([&] {
    if (!game || !sizes) qilin::refuse("the game and what is to hold the answer can not be null");
    const SelfPlayProgram& functions = *program(game).selfplay[QILIN_CUDA_GPU];
    const auto n = static_cast<qilin::u32>(checked(trees, 1, most_trees, "trees"));
    *sizes = {functions.sample_bytes, functions.record_bytes, static_cast<qilin::u64>(functions.slots),
              functions.bytes(search_of(search), n)};
  });
}

int qilin_cuda_selfplay_open(int place, const qilin_cuda_position* start, const qilin_cuda_search* search,
                             const qilin_cuda_play* play, int trees, uint64_t seed, void* memory, uint64_t bytes,
                             const qilin_cuda_barn* barn, qilin_cuda_selfplay** games) {
  return guarded([&] {
    if (!memory || !games) qilin::refuse("the memory and what is to hold the games can not be null");
    const qilin_cuda_position at = checked(start);
    const SelfPlayProgram& functions = *program(at.game).selfplay[place_of(place)];
    const auto n = static_cast<qilin::u32>(checked(trees, 1, most_trees, "trees"));
    *games = new qilin_cuda_selfplay{&functions, functions.open(at, search_of(search), play_of(play), n, seed,
                                                                static_cast<std::byte*>(memory), bytes, barn_of(barn))};
  });
}

void qilin_cuda_selfplay_close(qilin_cuda_selfplay* games) { delete games; }

int qilin_cuda_selfplay_forest(qilin_cuda_selfplay* games, qilin_cuda_forest** forest) {
  return with(games, [&](const SelfPlayProgram& functions, const Handle& handle) {
    if (!forest) qilin::refuse("what is to hold the forest can not be null");
    *forest = new qilin_cuda_forest{functions.forest, functions.trees(handle)};
  });
}

int qilin_cuda_selfplay_turn(qilin_cuda_selfplay* games, void* stream) {
  return with(games, [&](const SelfPlayProgram& functions, const Handle& handle) { functions.turn(handle, stream); });
}

int qilin_cuda_selfplay_forget(qilin_cuda_selfplay* games, const float* boosts, int count, void* stream) {
  return with(games, [&](const SelfPlayProgram& functions, const Handle& handle) {
    qilin::Array<float, qilin::forest::most_tiers> all{};
    const int n = boosts ? checked(count, 1, qilin::forest::most_tiers, "the number of boosts") : 0;
    for (int i = 0; i < n; ++i) all[i] = boosts[i];
    functions.forget(handle, n > 0, all, stream);
  });
}

int qilin_cuda_selfplay_yield(qilin_cuda_selfplay* games, qilin_cuda_yield* yield) {
  return with(games, [&](const SelfPlayProgram& functions, const Handle& handle) {
    if (!yield) qilin::refuse("what is to hold the answer can not be null");
    const Yield y = functions.yield(handle);
    *yield = {y.samples, y.games, y.plies, y.simulations, y.evaluations, y.left_out, y.refused};
  });
}

int qilin_cuda_selfplay_examples(int place, const char* game, const qilin_cuda_barn* barn,
                                 const qilin_cuda_examples* examples, uint64_t rows, void* stream) {
  return guarded([&] {
    if (!game || !examples || !examples->places) qilin::refuse("the game and the examples can not be null");
    const SelfPlayProgram& functions = *program(game).selfplay[place_of(place)];
    if (rows > 0) functions.teach(barn_of(barn), draw_of(*examples, functions.slots), rows, stream);
  });
}
