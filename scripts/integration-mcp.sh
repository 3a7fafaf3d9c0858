#!/usr/bin/env bash
# Lets the official MCP client use the service, and the service's chats use the
# reference MCP server in both transports.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
wait_for() { for _ in $(seq 200); do (exec 3<> "/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0; sleep 0.1; done; echo "nothing listens on $1"; cat "$work"/*.log; exit 1; }
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
(cd scripts/conformance/mcp && npm ci --no-audit --no-fund --silent)
port=$(free) streamable=$(free) sse=$(free)
server=scripts/conformance/mcp/node_modules/@modelcontextprotocol/server-everything/dist/index.js
PORT=$streamable node "$server" streamableHttp > "$work/streamable.log" 2>&1 &
pids="$!"
PORT=$sse node "$server" sse > "$work/sse.log" 2>&1 &
pids="$pids $!"
LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" LECTERN_ALLOW_HOSTS=127.0.0.1 "$work/lectern" 2> "$work/lectern.log" &
pids="$pids $!"
for p in $port $streamable $sse; do wait_for "$p"; done
echo "== @modelcontextprotocol/sdk 1.32.2 as a client, @modelcontextprotocol/server-everything 2026.8.31 as a server"
BASE_URL="http://127.0.0.1:$port" EVERYTHING="http://127.0.0.1:$streamable/mcp" EVERYTHING_SSE="http://127.0.0.1:$sse/sse" node scripts/conformance/mcp/run.mjs
