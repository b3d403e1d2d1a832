#!/usr/bin/env bash
# The long checks: sanitizers over every C++ test, libFuzzer on every parser, big random runs. About half an hour on two cores.
#   SECONDS_EACH=3600 tests/long.sh   fuzzes every game for an hour
set -euo pipefail
cd "$(dirname "$0")/.."
cmake=${CMAKE:-cmake}
each=${SECONDS_EACH:-60}

echo "== every C++ test under ASan and UBSan"
$cmake -S . -B build/sanitized -DQILIN_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo > build/sanitized.log
$cmake --build build/sanitized -j 2
(cd build/sanitized && ctest --output-on-failure --timeout 1800)

echo "== big random runs"
for game in cpp/games/*.hpp; do
  name=$(basename "$game" .hpp)
  build/cpp/tests/cpp/contract_test_"$name" 2000
  build/cpp/tests/cpp/keys_test_"$name" 10000000
done

echo "== notations over 100,000 positions"
QILIN_NOTATION_POSITIONS=100000 "${PYTHON:-python3}" -m pytest tests/test_notations.py

echo "== a training run, killed at 60 moments"
"${PYTHON:-python3}" -m pytest -m long tests/test_resume.py

echo "== the server: 200 examples of each operation, secrecy over 10,000 games"
QILIN_SCHEMA_EXAMPLES=200 "${PYTHON:-python3}" -m pytest tests/test_web_schema.py
QILIN_SECRECY_GAMES=10000 "${PYTHON:-python3}" -m pytest tests/test_web_secrecy.py

if ! command -v clang++ > /dev/null; then
  echo "== no clang++ here: libFuzzer is left out (Debian: apt-get install clang)"
  exit 0
fi
echo "== libFuzzer, $each s a game"
for game in cpp/games/*.hpp; do
  name=$(basename "$game" .hpp)
  source=build/cpp/generated/fuzz_test_$name.cpp
  clang++ -std=c++20 -O1 -g -DQILIN_LIBFUZZER -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -Icpp -Itests/cpp "$source" -o "build/fuzz_$name"
  mkdir -p "build/corpus_$name"
  cut -d'|' -f2 "tests/perft/$name.txt" | grep '/' | sed 's/^ *//; s/ *$//' | awk '{print "\001" $0 > "build/corpus_'"$name"'/seed" NR}'
  "build/fuzz_$name" -max_total_time="$each" -max_len=400 -timeout=10 -artifact_prefix=build/ "build/corpus_$name" \
    > "build/fuzz_$name.log" 2>&1 || { tail -n 60 "build/fuzz_$name.log"; exit 1; }
  echo "$name: $(tail -n 1 "build/fuzz_$name.log")"
done
