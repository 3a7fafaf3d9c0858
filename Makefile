# The two commands that matter: make run, make test. README.md says the rest.
SHELL := /bin/bash
GO ?= go
export CGO_ENABLED ?= 0

# ENV is the environment that is deployed, as infra/environment names it.
ENV ?= dev
CDK ?= npx --yes aws-cdk@2.1148.1

.PHONY: run test build lint bench eval recall hostile chaos cost integration release fuzz functions synth diff deploy destroy doctor

run: ## the service on 127.0.0.1:8080
	$(GO) run ./functions/local

test: ## unit tests, contract suites, recordings
	$(GO) vet ./...
	$(GO) test $(TESTFLAGS) ./...
	@if command -v node >/dev/null; then cd infra && $(GO) vet ./... && $(GO) test $(TESTFLAGS) ./...; \
	else echo "infra: not tested, node is not installed: CDK writes the templates on it"; fi

build: ## bin/lectern, and dist/<function>.zip with ARCH=arm64 or amd64
	$(GO) build -trimpath -ldflags="-s -w" -o bin/lectern ./functions/local
	$(GO) run ./scripts/build -out dist $(if $(ARCH),-arch $(ARCH)) $(ARGS)

lint:
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.5.0 run ./...

bench: ## performance budgets, as ratios to a bare echo in the same run
	$(GO) run ./scripts/bench $(ARGS)

eval: ## retrieval and answer quality: make eval DATA=/path/to/retrieval QUESTIONS=/path/to/questions
	$(GO) run ./scripts/eval -data "$(DATA)" -questions "$(QUESTIONS)" $(ARGS)

recall: ## share of words that readers find, compared with pandoc and pdftotext: make recall ARGS="more.pdf"
	$(GO) run ./scripts/recall $(ARGS)

hostile: ## hostile documents, read or rejected within limits
	$(GO) run ./scripts/hostile $(ARGS)

chaos: ## hostile requests and load: make chaos ARGS="-idle 10000 -readers 1000 -writers 500 -soak 30m", or ARGS="-url https://… -key …"
	$(GO) run ./scripts/chaos $(ARGS)

cost: ## cost of requests and of idle environments on AWS; fails above a limit
	cd scripts/cost && $(GO) test -count=1 -args -table
	@if command -v node >/dev/null; then cd infra && ENV=$(if $(filter command line,$(origin ENV)),$(ENV)) $(GO) run ./cost; \
	else echo "environments: not counted, node is not installed: CDK writes the templates on it"; fi

integration: ## the official SDKs and real components against the service
	bash scripts/integration.sh

release: ## dist/release: programs for linux, macOS and windows, a container image, parts (CycloneDX) and checksums
	cd scripts/release && $(GO) run . $(if $(VERSION),-version "$(VERSION)") $(ARGS)

fuzz: ## every fuzz target, FUZZTIME each
	bash scripts/fuzz.sh

functions:
	$(GO) run ./scripts/build -out dist -arch $(or $(ARCH),$(if $(filter localstack,$(ENV)),amd64,arm64))

synth: functions ## templates of ENV, in infra/cdk.out; needs node, no credentials
	cd infra && $(GO) build -o ../bin/infra . && CDK_OUTDIR=cdk.out ENV=$(ENV) ../bin/infra

diff: functions ## show what a deployment of ENV would change
	cd infra && ENV=$(ENV) $(CDK) diff --all

deploy: functions ## deploy ENV to AWS: make deploy ENV=dev
	cd infra && ENV=$(ENV) $(CDK) deploy --all $(ARGS)

destroy: functions ## delete ENV, not what its account shares; prod retains its state
	cd infra && ENV=$(ENV) $(CDK) destroy '$(ENV)-*' $(ARGS)

doctor: ## what the account of ENV lacks before a deployment; without credentials, what it would look at
	cd infra && ENV=$(ENV) $(GO) run ./doctor
