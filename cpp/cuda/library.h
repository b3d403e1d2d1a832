/* Rules on the card, for any language that can call C. Built with nvcc alone (build.sh), or by CMake.
 *
 *   qilin_cuda_position at = {"ataxx", "rules=uai", "x5o/7/7/7/7/7/o5x x 0 1"};
 *   uint64_t nodes; double ms;
 *   if (qilin_cuda_perft(QILIN_CUDA_GPU, &at, 5, &nodes, &ms)) puts(qilin_cuda_error());
 *
 * Positions go in as text, so that nothing impossible ever reaches a kernel. Every function may be called from any
 * thread, and keeps nothing but the text of the thread's last error. */
#ifndef QILIN_CUDA_LIBRARY_H
#define QILIN_CUDA_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#define QILIN_CUDA_ABI 3 /* changes when anything below does */

#define QILIN_CUDA_API __attribute__((visibility("default"))) /* all else stays inside the library */

#ifdef __cplusplus
extern "C" {
#endif

enum qilin_cuda_status { QILIN_CUDA_OK, QILIN_CUDA_BAD_INPUT, QILIN_CUDA_NO_DEVICE, QILIN_CUDA_FAILED };

/* The same headers, on the current device or on the thread that calls: one is there to check the other. */
enum qilin_cuda_place { QILIN_CUDA_GPU, QILIN_CUDA_CPU };

typedef struct {
  const char* game;
  const char* settings; /* as in "rules=selfplay max_plies=300"; empty: the game's own */
  const char* text;     /* of the position; empty: the start */
  const char* moves;    /* played from there, outcomes of chance among them, with spaces between; may be empty */
} qilin_cuda_position;

typedef struct {
  uint64_t plies, first_wins, second_wins, draws, unfinished;
} qilin_cuda_tally;

QILIN_CUDA_API int qilin_cuda_abi(void);

/* Why this thread's last call did not answer QILIN_CUDA_OK. */
QILIN_CUDA_API const char* qilin_cuda_error(void);

/* The games of this library, by number; NULL after the last. */
QILIN_CUDA_API const char* qilin_cuda_game(int index);

/* The name of the current device, cut to `size`. QILIN_CUDA_NO_DEVICE where there is none that can be used. */
QILIN_CUDA_API int qilin_cuda_device(char* name, size_t size);

/* Positions `depth` plies on, chance events not counted as plies; `ms` is what counting took. */
QILIN_CUDA_API int qilin_cuda_perft(int place, const qilin_cuda_position* position, int depth, uint64_t* nodes,
                                    double* ms);

/* Random games 0 ... games-1 of `seed`, each of at most `most_plies` plies. The same on either place. */
QILIN_CUDA_API int qilin_cuda_playouts(int place, const qilin_cuda_position* position, uint64_t seed, uint64_t games,
                                       int most_plies, qilin_cuda_tally* tally, double* ms);

/* Many search trees of one game, in memory of the card's that the caller gives. All pointers but texts, `counts` and
 * those to structs are the card's. A stream is a cudaStream_t; what takes one waits for nothing, and may be captured
 * into a CUDA graph. */
typedef struct qilin_cuda_forest qilin_cuda_forest;

/* How trees grow: cpp/search/settings.hpp says what each number means. */
typedef struct {
  int gumbel, simulations, leaves, stop_early, considered;
  float c_puct, c_growth, c_scale, fpu_reduction, root_fpu_reduction, root_temperature, noise_weight, noise_alpha;
  float gumbel_noise, gumbel_visits, gumbel_scale, forced_playouts;
} qilin_cuda_search;

/* The kind of numbers of planes and replies. */
enum qilin_cuda_number { QILIN_CUDA_F32, QILIN_CUDA_BF16 };

/* What values are: +1 … -1; win, draw, loss; those before the softmax. */
enum qilin_cuda_values { QILIN_CUDA_SCALAR, QILIN_CUDA_ODDS, QILIN_CUDA_LOGITS };

/* F32: (rows, planes, ranks, files). BF16: (rows, ranks, files, channels), channels a multiple of eight; those beyond
 * the planes are left as they are. There are `leaves` rows for each tree. */
typedef struct {
  void* planes;
  int number, channels;
} qilin_cuda_questions;

/* (rows, moves) and (rows, 1 or 3), with so many numbers from one row to the next. */
typedef struct {
  const void *logits, *values;
  int number, form;
  int64_t logits_stride, values_stride;
  const uint32_t* places; /* where each move's logit stands in a row; NULL: at the move's number */
} qilin_cuda_replies;

/* Arrays with a row for each tree; NULL: not asked for. */
typedef struct {
  float *policy, *values; /* (trees, moves), and (trees, 2): the value and the share of draws, for the player to move */
  int* moves;             /* to play; -1: the game is over, or nothing is known */
  float temperature;      /* 0: the best move */
} qilin_cuda_findings;

typedef struct {
  uint64_t broken; /* evaluations that were no numbers: their leaves were given up */
} qilin_cuda_counts;

/* What a forest needs. */
QILIN_CUDA_API int qilin_cuda_forest_bytes(const char* game, const qilin_cuda_search* search, int trees,
                                           uint64_t* bytes);
/* Plants every tree at the position. The memory is the card's, or the host's, and is used until the forest is closed;
 * so are all arrays. On the host nothing is asynchronous. */
QILIN_CUDA_API int qilin_cuda_forest_open(int place, const qilin_cuda_position* position,
                                          const qilin_cuda_search* search, int trees, uint64_t seed, void* memory,
                                          uint64_t bytes, qilin_cuda_forest** forest);
QILIN_CUDA_API void qilin_cuda_forest_close(qilin_cuda_forest* forest);
/* Writes the planes of the next leaves: tree i's at rows i * leaves and on. Rows of no leaf are left as they are. */
QILIN_CUDA_API int qilin_cuda_forest_look(qilin_cuda_forest* forest, const qilin_cuda_questions* to, void* stream);
/* Takes the replies to what was looked at. */
QILIN_CUDA_API int qilin_cuda_forest_learn(qilin_cuda_forest* forest, const qilin_cuda_replies* replies, void* stream);
/* Plays a move in every tree (below 0: in none) and begins the next search, with the subtree or without. */
QILIN_CUDA_API int qilin_cuda_forest_advance(qilin_cuda_forest* forest, const int* moves, int keep, void* stream);
QILIN_CUDA_API int qilin_cuda_forest_find(qilin_cuda_forest* forest, const qilin_cuda_findings* to, void* stream);
/* These wait for the card. */
QILIN_CUDA_API int qilin_cuda_forest_counts(qilin_cuda_forest* forest, qilin_cuda_counts* counts);
/* A tree as text, or as JSON; what does not fit into `size` is cut, `needed` says how much there is. */
QILIN_CUDA_API int qilin_cuda_forest_print(qilin_cuda_forest* forest, int tree, int depth, int visits, int json,
                                           char* text, size_t size, size_t* needed);
/* A number that two trees share if they are the same to the last bit, on a card or on a CPU. */
QILIN_CUDA_API int qilin_cuda_forest_seal(qilin_cuda_forest* forest, int tree, uint64_t* seal);

/* Games that trees play against themselves. A step is turn, look (of the forest), the network, learn (of the forest);
 * all of it may be captured into one CUDA graph, and run for ever. */
typedef struct qilin_cuda_selfplay qilin_cuda_selfplay;

/* How games are made: cpp/search/plot.hpp says what each number means. */
typedef struct {
  int opening_plies, first_plies, fast_simulations, reuse;
  float temperature, temperature_end, temperature_plies, full_share, resign_below, resign_check;
} qilin_cuda_play;

/* Rings for samples and for games that have ended: the n-th lies at place n % room. */
typedef struct {
  void *samples, *games;
  uint64_t sample_room, game_room;
} qilin_cuda_barn;

/* Since the games were begun. */
typedef struct {
  uint64_t samples, games, plies, simulations, evaluations, left_out, refused;
} qilin_cuda_yield;

/* Bytes of a sample and of a game in a barn, moves of an example, and what so many trees need. */
typedef struct {
  uint64_t sample, game, slots, all;
} qilin_cuda_sizes;

/* Samples as a network learns them. `places` and `symmetries` (NULL: as they are) have a number for every row. */
typedef struct {
  const int64_t* places;
  const uint8_t* symmetries;
  float search_share, soft_share, soft_scale, margin_scale;
  qilin_cuda_questions planes;
  int64_t *moves, *reply, *owner; /* (rows, slots), (rows,), (rows, ranks, files): 0 nobody, 1 the mover, 2 the other */
  float *shares, *odds, *margin, *plies_left; /* (rows, slots), (rows, 3), (rows,), (rows,) */
  uint8_t *legal, *has_reply, *was_finished;  /* (rows, slots), (rows,), (rows,) */
} qilin_cuda_examples;

QILIN_CUDA_API int qilin_cuda_selfplay_sizes(const char* game, const qilin_cuda_search* search, int trees,
                                             qilin_cuda_sizes* sizes);
QILIN_CUDA_API int qilin_cuda_selfplay_open(int place, const qilin_cuda_position* start,
                                            const qilin_cuda_search* search, const qilin_cuda_play* play, int trees,
                                            uint64_t seed, void* memory, uint64_t bytes, const qilin_cuda_barn* barn,
                                            qilin_cuda_selfplay** games);
QILIN_CUDA_API void qilin_cuda_selfplay_close(qilin_cuda_selfplay* games);
/* The trees, to look, learn and print; it is closed like any other, and must not outlive the games. */
QILIN_CUDA_API int qilin_cuda_selfplay_forest(qilin_cuda_selfplay* games, qilin_cuda_forest** forest);
/* Plays a ply wherever a search is done; games that have ended go to the barn, and others begin. */
QILIN_CUDA_API int qilin_cuda_selfplay_turn(qilin_cuda_selfplay* games, void* stream);
/* The network is new: every tree begins anew. `boosts` are logarithms of factors of priors, on the host; NULL: off.
 * Boosts are part of what a graph has captured: capture it again where they have changed. */
QILIN_CUDA_API int qilin_cuda_selfplay_forget(qilin_cuda_selfplay* games, const float* boosts, int count, void* stream);
/* This waits for the card. */
QILIN_CUDA_API int qilin_cuda_selfplay_yield(qilin_cuda_selfplay* games, qilin_cuda_yield* yield);
QILIN_CUDA_API int qilin_cuda_selfplay_examples(int place, const char* game, const qilin_cuda_barn* barn,
                                                const qilin_cuda_examples* examples, uint64_t rows, void* stream);

#ifdef __cplusplus
}
#endif

#endif
