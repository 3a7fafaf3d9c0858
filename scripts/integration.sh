#!/usr/bin/env bash
# Starts the service on a free port, runs the official SDKs against it, and
# stops it. Says what it ran, with versions.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
cleanup() { [ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
port=$(python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])' 2>/dev/null || echo 18080)
export BASE_URL="http://127.0.0.1:$port"
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" "$work/lectern" 2> "$work/log" &
pid=$!
for _ in $(seq 100); do curl -sf "$BASE_URL/ready" >/dev/null && break; sleep 0.1; done
curl -sf "$BASE_URL/ready" >/dev/null || { cat "$work/log"; exit 1; }

echo "== @anthropic-ai/sdk 1.11.0 and 0.95.2 (node $(node --version))"
(cd scripts/conformance/typescript && npm ci --no-audit --no-fund --silent && node run.mjs)

echo "== anthropic-sdk-go v2.12.0 and v1.84.0"
(cd scripts/conformance/go && mkdir -p previous && sed 's#anthropic-sdk-go/v2#anthropic-sdk-go#' current/sdk_test.go > previous/sdk_test.go && go test -count=1 ./...)
