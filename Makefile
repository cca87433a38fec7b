# vyretop: two commands matter to a user (run, test), five more to a contributor (race, check, fuzz, soak, bench).
# Needs git, make and Go; everything else comes from Debian packages, installed on demand.

GO      ?= go
ARGS    ?= scan
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X main.linked=$(VERSION)
TAGS    := egl

.DEFAULT_GOAL := help
.PHONY: help run build test quick slow race check fuzz soak bench generate screenshots demo conformance release deps-build deps-test deps-bench clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

run: deps-build build ## install what is missing, build, and run ARGS (default: scan the current directory)
	@bin/vyretop run $(ARGS)

build: ## build bin/vyretop with the OpenGL backend
	$(GO) build -trimpath -tags '$(TAGS)' -ldflags '$(LDFLAGS)' -o bin/vyretop ./cmd/vyretop

test: deps-test ## install what the tests need and run all of them
	@.ci/test $(PART)

quick: deps-build ## build all, then vet and test the changed packages and those that import them directly, but for long tests (SINCE selects a commit)
	@.ci/quick

slow: deps-test ## run all tests without their cache, and list how long each took, slowest first (.build/slow.txt), and the processor seconds of packages
	@.ci/slow

race: deps-test ## run the tests of packages that start goroutines with the race detector (RACE=all: of all that can have a race)
	@.ci/race

check: deps-test ## format, the checks of vet and staticcheck, import directions, generated files, go.mod
	@.ci/check $(PART)

fuzz: deps-test ## run each fuzz target for FUZZTIME=30s (FUZZ selects by folder and name)
	@.ci/fuzz

conformance: deps-test build ## compare OpenGL with the reference: the shipped cases, and public compute shaders, which are fetched and not kept (CORPUS=DIR: those of a folder)
	@bin/vyretop conform --backend gl
	@$(GO) run ./.ci/corpus $(if $(CORPUS),-from $(CORPUS))

soak: deps-test ## nightly: fuzz targets, SEEDS=20 seeds of random kernels on OpenGL, the resident kernel (SOAKTIME=2m each), all races
	@.ci/soak

bench: deps-bench ## run the benchmarks (BENCH selects by name)
	$(GO) test -tags '$(TAGS)' -run '^$$' -bench '$(or $(BENCH),.)' -benchtime '$(or $(BENCHTIME),1s)' ./...

generate: ## regenerate generated files
	$(GO) generate ./...

screenshots: ## draw docs/screenshots again
	$(GO) run ./docs/gen screenshots docs/screenshots

release: deps-build ## build the archives of a release into dist/ (VERSION=v1.2.3; by default what git describes)
	@VERSION=$(VERSION) .ci/release

demo: ## record the demo again (fixtures/recordings/demo), in about a minute
	$(GO) run ./docs/gen demo

deps-build:
	@.ci/debian-packages build

deps-test:
	@.ci/debian-packages build test

deps-bench:
	@.ci/debian-packages build test bench

clean: ## remove what was built
	rm -rf bin dist .build
