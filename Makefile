# The verbs a person needs. Everything is set up in .venv on the first call; later calls look at file times only.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip --disable-pip-version-check --quiet
CUDA_ARCH ?=
GPU    ?= required

cpp    := $(shell find cpp -name '*.hpp' -o -name '*.cpp' -o -name '*.in' -o -name 'CMakeLists.txt') CMakeLists.txt
tests  := $(shell find tests/cpp -type f)

cuda_library := build/cuda/libqilin_cuda.so
cuda_sources := $(shell find cpp/core cpp/games cpp/search cpp/cuda -type f)

.PHONY: play test test-long test-gpu test-cpp check build stubs format cuda bench-gpu clean help

help:  ## what this file can do
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 14

play: build  ## the board in a browser (in the terminal: .venv/bin/qilin play GAME)
	@$(BIN)/qilin serve --open

test: $(VENV)/dev build/npm/done check test-cpp  ## every check and test that belongs to a change
	@OMP_WAIT_POLICY=PASSIVE $(BIN)/python -m pytest

test-long: $(VENV)/dev test-cpp  ## what takes long: sanitizers, fuzzing, big random runs
	@PYTHON=$(BIN)/python CMAKE=$(BIN)/cmake tests/long.sh

check: $(VENV)/dev  ## ruff, mypy --strict, clang-format
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary
	@find cpp tests/cpp \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' \) -print0 | xargs -0 $(BIN)/clang-format --dry-run --Werror

format: $(VENV)/dev  ## put every file into the house's format
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .
	@find cpp tests/cpp \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' \) -print0 | xargs -0 $(BIN)/clang-format -i

build: $(VENV)/built  ## the package, editable, in .venv

stubs: build  ## write src/qilin/_core.pyi anew
	@$(BIN)/python -m nanobind.stubgen --quiet -m qilin._core -o src/qilin/_core.pyi

$(VENV)/tools: pyproject.toml constraints.txt
	@echo "setting up $(VENV) (once) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Qilin needs Python 3.11 or newer, found " + sys.version)'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install -c constraints.txt scikit-build-core nanobind 'cmake>=3.26' ninja
	@touch $@

# Build isolation is off so that the compiled objects stay in build/ and only what changed is compiled again.
$(VENV)/built: $(VENV)/tools $(cpp)
	@echo "compiling …"
	@$(PIP) install -c constraints.txt --no-build-isolation -e '.[web]'
	@touch $@

# What only developers need, torch among it, comes apart: to play nobody waits for it.
$(VENV)/dev: $(VENV)/tools | $(VENV)/built
	@echo "installing what the tests need …"
	@$(PIP) install -c constraints.txt $$($(BIN)/python -c 'import tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; print(*sorted({need for extra in extras.values() for need in extra if not need.startswith("qilin[")}))')
	@touch $@

# What the page is tested with, where npm is found; without it those tests are skipped, and say so.
build/npm/done:
	@mkdir -p $(@D)
	@if command -v npm > /dev/null; then npm install --silent --no-fund --no-audit --prefix $(@D) typescript@5 axe-core@4 && touch $@; \
	else echo "npm is not here: the page's types and its accessibility are not tested"; fi

test-cpp: build/cpp/tested

build/cpp/tested: $(VENV)/tools $(cpp) $(tests)
	@mkdir -p build
	@$(BIN)/cmake -S . -B build/cpp -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) > build/cpp.log || (cat build/cpp.log; false)
	@$(BIN)/cmake --build build/cpp
	@$(BIN)/ctest --test-dir build/cpp --output-on-failure
	@touch $@

cuda: $(cuda_library)  ## the rules on a card, for the card in this machine, or CUDA_ARCH="90 120"; needs nvcc, nothing else

$(cuda_library): $(cuda_sources)
	@command -v nvcc > /dev/null || { echo "no nvcc here: install the CUDA toolkit, 12.8 or newer"; exit 1; }
	@echo "compiling for the card …"
	@mkdir -p $(@D) && cpp/cuda/build.sh $@ $(CUDA_ARCH)

# Without a card there is nothing to test, and a green answer would claim otherwise; GPU=optional asks for one anyway.
test-gpu:  ## what a card does is what a CPU does; needs nvcc, a card, and for forests and self-play torch and qilin
	@if nvidia-smi -L 2> /dev/null; then $(MAKE) --no-print-directory $(cuda_library) && \
	  for test in rules forest selfplay; do \
	    QILIN_NEED_GPU=1 QILIN_CUDA_LIBRARY=$(abspath $(cuda_library)) $(PYTHON) tests/gpu/test_gpu_$$test.py || exit 1; done; \
	else echo "there is no GPU in this machine: nothing was tested"; test "$(GPU)" = optional; fi

bench-gpu: cuda  ## how fast a card runs the rules
	@QILIN_CUDA_LIBRARY=$(cuda_library) $(PYTHON) bench/gpu_rules.py

clean:  ## remove what was built
	rm -rf build $(VENV)
