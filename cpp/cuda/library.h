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

#define QILIN_CUDA_ABI 1 /* changes when anything below does */

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

#ifdef __cplusplus
}
#endif

#endif
