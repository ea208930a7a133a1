# The verbs of the project. Each installs what it lacks (Debian) and builds what it needs.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
ASAN_TESTS ?= asan
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: run build test quick measure clients bench bench-docs bench-gate soak fuzz asan neon format tidy coverage docs install clean

run: build           ## heal the samples, each before and after
	@tools/show_samples.sh

build:               ## the release build of the tool: build/release/bin/jsonheal
	@tools/setup.sh
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target jsonheal jsonheal_apps

test:                ## build everything and run all tests but the long ones
	@tools/setup.sh
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target all all_verify_interface_header_sets
	@ctest --preset release -j $(JOBS)

quick:               ## debug build, the tests of seconds
	@tools/setup.sh
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev
	@ctest --preset quick -j $(JOBS)

asan:                ## the tests under the address and undefined behaviour sanitizers; ASAN_TESTS=asan_short is without the laws
	@tools/setup.sh
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan
	@ctest --preset $(ASAN_TESTS) -j $(JOBS)

measure: build       ## the acceptance figures, where ../shared is there
	@tools/measure.sh

bench:               ## jsonheal beside its peers, one table; BENCH_ARGS=--quick is shorter
	@tools/setup.sh bench
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target jsonheal_benches
	@python3 bench/run.py $(BENCH_ARGS)

bench-docs: bench    ## the benchmarks, and docs/performance.md with its plots made anew from them
	@python3 bench/docs_page.py

bench-gate:          ## fails if this tree is slower than commit BASE beyond noise
	@tools/setup.sh bench
	@python3 bench/gate.py $(if $(BASE),$(BASE),HEAD~1)

clients:             ## real clients of model providers, unchanged, against the gateway
	@tools/setup.sh
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target jsonheal_apps
	@cd tests/clients && npm ci --no-audit --no-fund
	@JSONHEAL=$(CURDIR)/build/release/bin/jsonheal tests/clients/run.sh

soak:                ## the long tests
	@tools/setup.sh
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@ctest --preset soak

fuzz:                ## every fuzz target for FUZZ_SECONDS
	@tools/setup.sh fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@tools/run_fuzzers.sh $(FUZZ_SECONDS)

neon:                ## cross build of scan for 64-bit ARM, its tests under qemu
	@tools/setup.sh neon
	@cmake --preset aarch64 >/dev/null
	@cmake --build --preset aarch64
	@ctest --preset aarch64 -j $(JOBS)

coverage:            ## line coverage of the quick tests
	@tools/setup.sh coverage
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage
	@ctest --preset coverage -j $(JOBS)
	@gcovr --root . --filter include/ --filter src/ build/coverage

format:              ## clang-format over every source
	@tools/setup.sh format
	@tools/format.sh

tidy:                ## clang-tidy over modules and apps
	@tools/setup.sh tidy
	@cmake --preset tidy >/dev/null
	@cmake --build --preset tidy

docs:                ## the generated pages
	@tools/setup.sh
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target jsonheal_rules_page
	@build/release/tools/jsonheal_rules_page > docs/rules.md

install: build       ## tool, library and headers below PREFIX
	@cmake --install build/release --prefix $(PREFIX)

clean:               ## throw the builds away
	@rm -rf build
