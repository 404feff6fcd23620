# Everything here is one line that works without make, too: see README.md.

.PHONY: run test bench race lint cover fmt

run: ## run the scenarios, assert fairness and ranking, write reports/out
	go tool ginkgo ./scenarios_test

test: ## every test of every package
	go test ./...

bench: ## speed, with bytes and allocations
	go test -run '^$$' -bench . -benchmem ./clock ./pool ./acquire ./simtest/...

race: ## the packages that ship, with the race detector
	go test -race ./clock ./pool ./acquire

lint: ## formatting, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

cover: ## coverage by package
	go test -cover ./...

fmt: ## format all files
	gofmt -w .
