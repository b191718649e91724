# make build    the client (one static file), the agent and both examples
# make demo     a running service with real photos: dumped, attached to, changed
# make check    while one works: the lint and every test that starts no process of its own, in parallel
# make test     everything that a change must pass; .ci/run calls it
# make fuzz     100,000 inputs for all that reads what others send; RUNS=600s for ten minutes
# make tsan     the agent's tests under the thread sanitizer, and a host under both sanitizers
# make soak     the tests that attack, in full: two hours, the last one requests to the photo manager
# make writers  eight writers of every kind of value and two readers, ten minutes under each sanitizer, and what changes
#               and reads from many sides
# make install  the client, its manual page and the shells' completions below PREFIX (/usr/local), DESTDIR heeded
# make bench    the figures of Docs/Cost.md; ARGS="--json --filter start" is handed on
# make docs     the pages and the public modules by DocC, an archive that is a static site: .build/docs
# make peers    beside the tools of other runtimes: PEERS=FOLDER has the harness, ARGS is handed on
# make format   what `make test` would complain of, mended
# make clean    away with everything that was built

SWIFT ?= swift
STRICT := -Xswiftc -warnings-as-errors
PHOTOS := Examples/PhotoManager
# What an editor looks names up in isn't needed for the demo; SwiftPM finds the tests by it.
UNINDEXED := --disable-index-store
BENCHMARKS := Benchmarks
BENCH := $(BENCHMARKS)/.build/release
PEER_HOST := $(BENCHMARKS)/Peers
SOURCES := Package.swift Sources Tests Examples/Minimal \
	$(addprefix $(PHOTOS)/,Package.swift Sources Tests) \
	$(addprefix $(BENCHMARKS)/,Package.swift Sources Tests) \
	$(addprefix $(PEER_HOST)/,Package.swift Sources)
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
RUNS ?= 100000
HOUR ?= 3600

SHARED := share/man/man1 share/bash-completion/completions share/zsh/site-functions \
	share/fish/vendor_completions.d

# What of the optional packages is there: SwiftPM keeps what a manifest said until the environment changes.
export PHOTO_PACKAGES = $(notdir $(wildcard /usr/include/microhttpd.h \
	/usr/include/opencv4/opencv2/objdetect.hpp))

# SwiftPM does not notice that a file of the main package came or went when it builds a package
# that depends on it by path; without its plan it makes a new one.
REPLAN := rm -f $(PHOTOS)/.build/debug.yaml

.PHONY: build client photos demo check test lint docs soak hour bench peers fuzz tsan churn writers writers-under \
	format clean install

build: client photos
	$(SWIFT) build $(STRICT)

client:
	@.ci/setup build
	$(SWIFT) build $(STRICT) -c release --traits Client --product telltale

# The pages are made by the program itself, so that they are those of what is installed.
install: client
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin $(SHARED))
	install -m 755 .build/release/telltale $(DESTDIR)$(PREFIX)/bin/telltale
	.build/release/telltale --man >$(DESTDIR)$(PREFIX)/share/man/man1/telltale.1
	.build/release/telltale --completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/telltale
	.build/release/telltale --completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_telltale
	.build/release/telltale --completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/telltale.fish

photos:
	@.ci/setup demo
	@$(REPLAN)
	$(SWIFT) build $(STRICT) $(UNINDEXED) --package-path $(PHOTOS)

# Client and service are built side by side: each is one chain of modules, which leaves a core idle. Where
# packages are missing, the client is built while they come.
demo:
	@.ci/setup build
	@$(MAKE) --no-print-directory -j2 client photos
	@$(PHOTOS)/demo

# Suites that search the memory of their whole process find the objects of a suite beside them, and
# those that take its signals or measure time are disturbed by it: `make test` runs them one by one.
ALONE := MemoryScan|MemoryReach|ActorCapture|HeapCensus|HeapMarks|Holder|Census|Roots|TaskCapture|DispatchCapture|PlanTime|ReadingTask|GuardedReading
UNITS := ^Telltale(Protocol|System|Diagnosis|Client|Shell|Agent)Tests

# The loop while one works: 180 s on two cores, beyond the build. All tests at once would wait for each other
# longer than their time limits.
check: lint
	@.ci/setup test
	$(SWIFT) build $(STRICT) --build-tests
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 $(SWIFT) test --skip-build --parallel --disable-xctest \
		--filter '$(UNITS)' --skip '$(ALONE)'

# The end-to-end tests run the binaries that are built before them. One after another: signals and
# pauses are measured, and the machine has two cores.
test: lint
	@.ci/setup test
	$(SWIFT) build $(STRICT) -c release --traits Client --product telltale
	$(SWIFT) build $(STRICT) -c release --product minimal
	@$(REPLAN)
	$(SWIFT) build $(STRICT) --package-path $(PHOTOS) --build-tests
	$(SWIFT) test $(STRICT) --package-path $(PHOTOS)
	$(SWIFT) build $(STRICT) --build-tests
	$(SWIFT) test $(STRICT) --no-parallel --disable-xctest
	@rm -f $(BENCHMARKS)/.build/debug.yaml
	$(SWIFT) test $(STRICT) --package-path $(BENCHMARKS) --disable-xctest
	Tests/Fuzzing/run 5000
	$(PHOTOS)/demo

# The last line: what a service on macOS compiles of the agent, which is nearly nothing, is Swift at least.
lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	.ci/rules
	.ci/rules --test
	swiftc -frontend -parse -target arm64-apple-macosx15 \
		$$(find Sources/Telltale[APRSF]* -name '*.swift')

# The symbols are those of the build; a warning of docc is an error.
docs:
	$(SWIFT) build $(STRICT) --target TelltaleFoundation
	SWIFT="$(SWIFT)" .ci/docs .build/docs
	@echo 'open it with: python3 -m http.server --directory .build/docs/Telltale.doccarchive'

fuzz:
	Tests/Fuzzing/run $(RUNS)
	Tests/Fuzzing/run-objects $(RUNS)

# Only the tests' bundle: the client is a static executable, which has no sanitizer.
tsan:
	@.ci/setup test
	$(SWIFT) build --sanitize=thread --scratch-path .build/thread --product telltalePackageTests
	$(SWIFT) test --skip-build --sanitize=thread --scratch-path .build/thread \
		--no-parallel --disable-xctest --filter TelltaleAgentTests
	@$(MAKE) --no-print-directory churn SANITIZER=thread
	@$(MAKE) --no-print-directory churn SANITIZER=address

# What comes and goes under eight threads while clients look at it, in a host that a sanitizer watches.
churn:
	$(SWIFT) build --sanitize=$(SANITIZER) --scratch-path .build/$(SANITIZER) \
		--product telltale-test-host
	$(SWIFT) build --build-tests
	TELLTALE_TEST_HOST=$(CURDIR)/.build/$(SANITIZER)/debug/telltale-test-host $(SWIFT) test \
		--skip-build --no-parallel --disable-xctest --filter 'HostileDataTests.churn|TurmoilTests'

# Every kind of field is written and read for ten minutes, in a host that each sanitizer watches. There is no
# undefined-behaviour sanitizer for Swift on Linux: the C that reads the host's memory has it.
writers:
	@.ci/setup test
	$(SWIFT) build --build-tests
	@for sanitizer in address thread undefined; do \
		$(MAKE) --no-print-directory writers-under SANITIZER=$$sanitizer || exit 1; done

undefined := -Xcc -fsanitize=undefined -Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined
address := --sanitize=address
thread := --sanitize=thread

writers-under:
	$(SWIFT) build $($(SANITIZER)) --scratch-path .build/$(SANITIZER) --product telltale-test-host
	TELLTALE_SOAK=1 TELLTALE_TEST_HOST=$(CURDIR)/.build/$(SANITIZER)/debug/telltale-test-host \
		$(SWIFT) test --skip-build --no-parallel --disable-xctest \
		--filter 'WriterTests/owned|ConcurrentCallTests|HeldOwnerTests'

# What `make test` runs in a bounded form. Docs/Robustness.md and Docs/Attacks.md have the last figures.
soak:
	@.ci/setup test
	$(SWIFT) build -c release --traits Client --product telltale
	@$(REPLAN)
	$(SWIFT) build --package-path $(PHOTOS) --build-tests
	$(SWIFT) build --build-tests
	TELLTALE_SOAK=1 $(SWIFT) test --skip-build --no-parallel --disable-xctest \
		--filter 'WedgeMatrix|Hostile|StartStop|SignalConflict|SignalStack|Turmoil|ThreadChurn|Shape|Writer'
	TELLTALE_SOAK=1 $(SWIFT) test --skip-build --package-path $(PHOTOS) --disable-xctest \
		--filter LiveFault
	@$(MAKE) --no-print-directory hour

# Requests to the photo manager's page for an hour, with somebody who looks at it in every other slice.
hour:
	$(PHOTOS)/hour --seconds $(HOUR)

# The agent is in its release build, so that what is measured is optimised. It starts the client that lies beside it.
bench: client
	@rm -f $(BENCHMARKS)/.build/release.yaml
	$(SWIFT) build $(STRICT) -c release --package-path $(BENCHMARKS) --product telltale-bench
	@ln -sf $(CURDIR)/.build/release/telltale $(BENCH)/telltale
	@$(MAKE) --no-print-directory $(BENCH)/liblarge.so
	$(BENCH)/telltale-bench $(ARGS)

# What names and lines are measured on: 25 MB of debug information.
$(BENCH)/liblarge.so: .ci/large-library
	.ci/large-library >$(BENCH)/large.swift
	swiftc -Onone -g -emit-library -o $@ $(BENCH)/large.swift

# The harness isn't part of this repository: it builds and starts what it finds of other runtimes'
# tools, and is given ours by what it is to run and ask. All that is said of us is in product.json.
peers:
	@if [ -z "$(PEERS)" ] || [ ! -x "$(PEERS)/run.sh" ]; then \
		echo "make peers: PEERS must name the folder of the peers' harness, which has a run.sh:" >&2; \
		echo "  make peers PEERS=../peers ARGS='--only telltale,python,go --runs 5'" >&2; exit 2; fi
	@.ci/setup build
	$(SWIFT) build $(STRICT) -c release --traits Client --product telltale
	@rm -f $(PEER_HOST)/.build/release.yaml
	$(SWIFT) build $(STRICT) -c release --package-path $(PEER_HOST) --product peer-host
	PRODUCT_HOST=$(CURDIR)/$(PEER_HOST)/.build/release/peer-host \
		PRODUCT_CLIENT=$(CURDIR)/.build/release/telltale \
		"$(PEERS)/run.sh" --extra $(CURDIR)/$(PEER_HOST)/product.json $(ARGS)

format:
	$(SWIFT) format format --in-place --recursive $(SOURCES)

clean:
	rm -rf .build $(addsuffix /.build,$(PHOTOS) $(BENCHMARKS) $(PEER_HOST))
