# Every target is one visible command or two; `make check` is what CI runs.
export CGO_ENABLED = 0
# Programs are built with -trimpath, so that everything is: else each package would be compiled twice.
export GOFLAGS := $(shell go env GOFLAGS) -trimpath
TOOLS_GOFUMPT     = go run mvdan.cc/gofumpt@v0.12.0
TOOLS_STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
TOOLS_DEADCODE    = go run golang.org/x/tools/cmd/deadcode@v0.51.0
# Packages that start goroutines: what the race detector is for. .ci/nightly has it look at all.
RACE = $$(grep -rlE '^[[:space:]]*go (func|[A-Za-z.]+\()|\.Go\(' internal --include='*.go' | xargs -n1 dirname | sort -u | sed 's,^,./,' | grep -v e2e)
# Tables of cases that go through one thing at a time, and processes that are killed: the race detector makes them minutes long and has nothing to find in them.
SERIAL = TestHostileTexts|TestDestroyers|TestSecrets|TestNoOperationPushesSecrets|TestNothingSecretIsPushed|TestWaysBack|TestKilled|TestMatrix|TestLookSaysWhatTheIndexSays|TestWriterSpills|TestRebuiltEqualsFed|TestThinningIsStable|TestForeignState|TestHostileState|TestLookRefuses|TestReadsWhatGitPacked|TestStrangers|TestNewRulesPassCheck|TestPermissionsOfAWholeTree|TestSealsFailSafe|TestUserBounds|TestExplainCounts|TestRevisionBomb|TestStreamIndex
PREFIX ?= $(HOME)/.local

# Copies a program in one write, after which a call takes a quarter less time than with the file that the linker wrote page by page (cp:
# a fifth less), since it lies in the largest pages of memory that there are (Linux, ext4). So it is until the kernel drops it from
# memory: read from disk again, it lies as any file. `time -f %M` says up to 20 MB then and 12 without: of such a page all counts where
# a part is touched. It is the kernel's copy of the file, once for all processes; what a process has for itself is the same.
# Renamed at the end and from the same folder: hooks that start meanwhile find the old one or the new one, whole, and a running one
# keeps its file. A link is replaced and not written through. The name in between is one of this process's own: two of these may run.
copy = test ! -d "$(2)" || { echo "$(2) is a folder"; exit 1; }; new="$(2).new.$$$$"; dd if="$(1)" of="$$new" bs=67108864 2>/dev/null && chmod 755 "$$new" && mv -f "$$new" "$(2)" || { rm -f "$$new"; echo "$(2) was not written"; exit 1; }

.PHONY: build generate check test cover trace e2e e2e-agents chaos bench trees fuzz demo picture install cross arm windows clean-tree

# The parts of the program begin where the kernel's large pages do, so that what is read of one is mapped by the 2 MB and not by the
# 64 KB: 35 of 356 page faults of a hook call, and 3 % of its time (measured). It is 4 MB more of zeros on the disk.
WIDE := $(if $(filter linux,$(shell go env GOOS)),-R 0x200000)

build: ## → bin/moai and bin/moaid, static and stripped; not from tables that are older than their rules
	@go run ./gen -check
	go build -ldflags '-s -w $(WIDE)' -o bin/moai.linked ./cmd/moai
	go build -ldflags '-s -w' -o bin/moaid.linked ./cmd/moaid
	@$(call copy,bin/moaid.linked,bin/moaid)
	@$(call copy,bin/moai.linked,bin/moai)
	@rm bin/moai.linked bin/moaid.linked

generate: ## rules/ → generated/
	go generate ./...

test: ## every test but the slow oracles
	go test -timeout 20m ./...

cover: ## coverage of each core package, with what the scripts run counted; COVER=90 for another limit than 95
	.ci/cover $(COVER)

trace: ## every requirement of the sources → the test or script that shows it, or why it is otherwise
	go run .ci/trace.go

check: cross ## what must hold before a change lands
	go run ./gen -check
	@files="$$($(TOOLS_GOFUMPT) -l $$(git ls-files '*.go' ':!testdata'))"; test -z "$$files" || { echo "gofumpt: $$files"; exit 1; }
	go vet ./...
	$(TOOLS_STATICCHECK) ./...
	@dead="$$($(TOOLS_DEADCODE) -test ./... && $(TOOLS_DEADCODE) ./cmd/... ./gen ./internal/e2e/...)" || exit 1; test -z "$$dead" || { echo "$$dead"; exit 1; }
	CGO_ENABLED=1 go test -race -short -timeout 20m -skip '$(SERIAL)' $(RACE)
	@$(MAKE) --no-print-directory clean-tree

cross: ## the other platforms build and vet
	GOOS=windows GOARCH=amd64 go vet ./... && GOOS=windows GOARCH=amd64 go build -o /dev/null ./cmd/moai && GOOS=windows GOARCH=amd64 go build -o /dev/null ./cmd/moaid
	GOOS=darwin GOARCH=arm64 go vet ./... && GOOS=darwin GOARCH=arm64 go build -o /dev/null ./cmd/moai && GOOS=darwin GOARCH=arm64 go build -o /dev/null ./cmd/moaid

arm: ## moai and moaid for Linux on arm64: none of our files is for it alone, so that .ci/nightly does it
	GOOS=linux GOARCH=arm64 go build -o /dev/null ./cmd/moai && GOOS=linux GOARCH=arm64 go build -o /dev/null ./cmd/moaid

windows: ## the tests as Windows runs them, under Wine 9 or newer (Debian 13 has it; 8.0 cannot start Go programs)
	@case "$$(wine --version 2>/dev/null)" in wine-9* | wine-[1-9][0-9]*) ;; *) echo "make windows needs Wine 9 or newer, here is: $$(wine --version 2>/dev/null || echo none)"; exit 1 ;; esac
	GOOS=windows go test -exec wine ./internal/... ./cmd/...

clean-tree: ## neither tests nor generation may have changed the checkout
	@changed="$$(git status --porcelain)"; test -z "$$changed" || { echo "the tree is not clean:"; echo "$$changed"; exit 1; }

e2e: build ## the real agent client, offline, with a scripted model; MOAI_CLIENT_VERSION=2.1.330 for another one than the scenarios were written for, SCENE=verify-.* for some of them
	go test -tags e2e -count=1 -timeout 15m $(if $(SCENE),-v -run 'TestClient/^$(SCENE)$$') ./internal/e2e

e2e-agents: ## the other agents, the real ones from npm, offline, with a scripted model: the versions that were tried, then the newest where that is another; AGENT=codex for one, SCENE=work for one scene, MOAI_AGENT_VERSION for one version; what cannot be had is skipped
	MOAI_AGENT_SCENE='$(SCENE)' go test -tags e2e_agents -count=1 -timeout 40m -v -run 'TestAgents/$(AGENT)' ./internal/e2e/agents
	@test -n "$$MOAI_AGENT_VERSION" || MOAI_AGENT_VERSION=newest MOAI_AGENT_SCENE='$(SCENE)' go test -tags e2e_agents -count=1 -timeout 40m -v -run 'TestAgents/$(AGENT)' ./internal/e2e/agents

chaos: build ## ten minutes of costly lines, hostile clones, kill -9, crowds of hooks and full disks; CHAOS='-minutes 1 -only kill' for less
	go run ./internal/e2e/chaos -moai bin/moai $(CHAOS)

bench: build ## ratios, both sides in one run
	.ci/bench

trees: build ## moai detect against looked-up answers and Linguist on some 250 real source trees, fetched to .cache/trees
	sh testdata/trees/fetch.sh .cache/trees && cd testdata/trees && go test . && go run . -moai ../../bin/moai ../../.cache/trees

fuzz: ## ten seconds for every fuzz target
	.ci/fuzz 10s

demo: build ## the main job on a scratch repository, in under a minute
	sh testdata/demo/demo.sh bin/moai

picture: ## the picture of README, from the recorded day of `moai serve --demo`
	MOAI_PICTURE='$(CURDIR)/testdata/demo/page.png' go test -count=1 -run 'TestPicture$$' ./cmd/moaid

install: build ## → $(PREFIX)/bin/moai and moaid
	@mkdir -p "$(PREFIX)/bin"
	@$(call copy,bin/moaid,$(PREFIX)/bin/moaid)
	@$(call copy,bin/moai,$(PREFIX)/bin/moai)
	@echo "$(PREFIX)/bin/moai"
