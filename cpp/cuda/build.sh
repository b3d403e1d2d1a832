#!/bin/sh
# Builds the library with nvcc and a shell, nothing else:  cpp/cuda/build.sh OUT.so [ARCH...]
# ARCH is a compute capability without its dot, as in 90; without one: that of the card in this machine.
# GAMES="a b" builds just these, for a quick try.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?"usage: $0 OUT.so [ARCH...]"}
shift
work=$out.objects
rm -rf "$work"
mkdir -p "$work"

[ $# -gt 0 ] || set -- $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u)
[ $# -gt 0 ] || { echo "no card to build for: say which, as in $0 $out 90" >&2; exit 1; }
for arch; do targets="${targets:-} -gencode=arch=compute_$arch,code=[sm_$arch,compute_$arch]"; done
flags="-std=c++20 -O3 -DNDEBUG -Xcompiler=-fPIC,-fvisibility=hidden,-march=native -Werror all-warnings -Xcompiler=-ffp-contract=off -fmad=false -cudart static -DQILIN_CUDA_BUILT_FOR='\"$*\"' $targets ${NVCC_FLAGS:-}"

games=${GAMES:-$(cd "$here/../games" && ls *.hpp | sed 's/\.hpp$//')}
for game in $games; do
  sed "s/@GAME@/$game/g" "$here/kernels.cu.in" > "$work/kernels_$game.cu"
  declarations="${declarations:-}extern const Program ${game}_program; "
  addresses="${addresses:-}\&${game}_program, "
done
sed "s/@PROGRAM_DECLARATIONS@/$declarations/; s/@PROGRAM_ADDRESSES@/$addresses/" "$here/programs.cpp.in" > "$work/programs.cu"
cp "$here/library.cu" "$here/selfplay.cu" "$work/"

ls "$work"/*.cu | xargs -P "$(nproc)" -I{} sh -c "nvcc $flags -I'$here/..' -c {} -o {}.o"
nvcc -shared -cudart static $targets "$work"/*.cu.o -o "$out"
