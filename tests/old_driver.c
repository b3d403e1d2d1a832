/* What a driver for CUDA 12.4 says of itself, and nothing else: tests/test_oncard.py. */
#include <stddef.h>
#include <string.h>

int cuInit(unsigned flags) { return (void)flags, 0; }
int cuDriverGetVersion(int* version) { return *version = 12040, 0; }

int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, int* found) {
  (void)version, (void)flags;
  *function = NULL;
  if (strcmp(name, "cuInit") == 0) *function = (void*)cuInit;
  if (strcmp(name, "cuDriverGetVersion") == 0) *function = (void*)cuDriverGetVersion;
  if (strncmp(name, "cuGetProcAddress", 16) == 0) *function = (void*)cuGetProcAddress_v2;
  if (found) *found = !*function;
  return *function ? 0 : 500;
}
