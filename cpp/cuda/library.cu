// The C interface: devices, rules, forests.
#include "cuda/door.cuh"

using namespace qilin::cuda;

namespace {

// Runs body(forest's functions, its handle) for a forest that must be there.
template <class Body>
int with(const qilin_cuda_forest* forest, const void* argument, Body&& body) {
  return guarded([&] {
    if (!forest || !argument) qilin::refuse("the forest and what it is asked can not be null");
    body(*forest->functions, forest->handle);
  });
}

}  // namespace

int qilin_cuda_abi(void) { return QILIN_CUDA_ABI; }

const char* qilin_cuda_error(void) { return last_error.c_str(); }

const char* qilin_cuda_game(int index) {
  const Program* const* p = programs();
  for (; *p && index > 0; --index) ++p;
  return *p && index == 0 ? (*p)->name : nullptr;
}

int qilin_cuda_device(char* name, size_t size) {
  return guarded([&] {
    const cudaDeviceProp properties = device();
    if (!name || size == 0) return;
    std::strncpy(name, properties.name, size - 1);
    name[size - 1] = '\0';
  });
}

int qilin_cuda_perft(int place, const qilin_cuda_position* position, int depth, uint64_t* nodes, double* ms) {
  return guarded([&] {
    check_outputs(nodes, ms);
    const qilin_cuda_position at = checked(position);
    *nodes = program(at.game).perft(place_of(place), at, depth, ms);
  });
}

int qilin_cuda_playouts(int place, const qilin_cuda_position* position, uint64_t seed, uint64_t games, int most_plies,
                        qilin_cuda_tally* tally, double* ms) {
  return guarded([&] {
    check_outputs(tally, ms);
    const qilin_cuda_position at = checked(position);
    if (games < 1 || games > most_games) {
      qilin::refuse("games is " + std::to_string(games) + ", expected 1 to " + std::to_string(most_games));
    }
    if (most_plies < 0) qilin::refuse("most_plies is " + std::to_string(most_plies) + ", expected 0 or more");
    const auto all = program(at.game).playouts(place_of(place), at, seed, games, most_plies, ms);
    *tally = {all.plies, all.first_wins, all.second_wins, all.draws, all.unfinished};
  });
}

int qilin_cuda_forest_bytes(const char* game, const qilin_cuda_search* search, int trees, uint64_t* bytes) {
  return guarded([&] {
    if (!game || !bytes) qilin::refuse("the game and what is to hold the answer can not be null");
    *bytes = program(game).forest[QILIN_CUDA_GPU]->bytes(
        search_of(search), static_cast<qilin::u32>(checked(trees, 1, most_trees, "trees")));
  });
}

int qilin_cuda_forest_open(int place, const qilin_cuda_position* position, const qilin_cuda_search* search, int trees,
                           uint64_t seed, void* memory, uint64_t bytes, qilin_cuda_forest** forest) {
  return guarded([&] {
    if (!memory || !forest) qilin::refuse("the memory and what is to hold the forest can not be null");
    const qilin_cuda_position at = checked(position);
    const ForestProgram& functions = *program(at.game).forest[place_of(place)];
    const auto n = static_cast<qilin::u32>(checked(trees, 1, most_trees, "trees"));
    *forest = new qilin_cuda_forest{
        &functions, functions.open(at, search_of(search), n, seed, static_cast<std::byte*>(memory), bytes)};
  });
}

void qilin_cuda_forest_close(qilin_cuda_forest* forest) { delete forest; }

int qilin_cuda_forest_look(qilin_cuda_forest* forest, const qilin_cuda_questions* to, void* stream) {
  return with(forest, to, [&](const ForestProgram& trees, const Handle& handle) {
    trees.look(handle, {to->planes, number_of(to->number), to->channels}, stream);
  });
}

int qilin_cuda_forest_learn(qilin_cuda_forest* forest, const qilin_cuda_replies* replies, void* stream) {
  return with(forest, replies, [&](const ForestProgram& trees, const Handle& handle) {
    const auto form = static_cast<qilin::forest::Values>(
        checked(replies->form, QILIN_CUDA_SCALAR, QILIN_CUDA_LOGITS, "the form of the values"));
    trees.learn(handle,
                {replies->logits, replies->values, number_of(replies->number), replies->logits_stride,
                 replies->values_stride, form, replies->places},
                stream);
  });
}

int qilin_cuda_forest_advance(qilin_cuda_forest* forest, const int* moves, int keep, void* stream) {
  return with(forest, moves, [&](const ForestProgram& trees, const Handle& handle) {
    trees.advance(handle, moves, keep != 0, stream);
  });
}

int qilin_cuda_forest_find(qilin_cuda_forest* forest, const qilin_cuda_findings* to, void* stream) {
  return with(forest, to, [&](const ForestProgram& trees, const Handle& handle) {
    trees.find(handle, {to->policy, to->values, to->moves, to->temperature}, stream);
  });
}

int qilin_cuda_forest_counts(qilin_cuda_forest* forest, qilin_cuda_counts* counts) {
  return with(forest, counts,
              [&](const ForestProgram& trees, const Handle& handle) { *counts = {trees.counts(handle).broken}; });
}

int qilin_cuda_forest_print(qilin_cuda_forest* forest, int tree, int depth, int visits, int json, char* text,
                            size_t size, size_t* needed) {
  return with(forest, needed, [&](const ForestProgram& trees, const Handle& handle) {
    const std::string all =
        trees.print(handle, static_cast<qilin::u64>(tree), {.depth = depth, .visits = visits}, json != 0);
    *needed = all.size() + 1;
    if (!text || size == 0) return;
    std::strncpy(text, all.c_str(), size - 1);
    text[size - 1] = '\0';
  });
}

int qilin_cuda_forest_seal(qilin_cuda_forest* forest, int tree, uint64_t* seal) {
  return with(forest, seal, [&](const ForestProgram& trees, const Handle& handle) {
    *seal = trees.seal(handle, static_cast<qilin::u64>(tree));
  });
}
