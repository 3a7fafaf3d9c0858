#!/usr/bin/env bash
# Checks that the committed files of the page are what its sources build, then drives the
# page with Chromium: Debian's, or CHROMIUM=path. SHOTS=dir writes pictures of each view.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
export WORK="$work"
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
echo "== the page: node $(node --version), vite 8.3.8, typescript 7.0.2"
(cd functions/system/workbench && npm ci --no-audit --no-fund --silent && npm run --silent check > "$work/check" || { cat "$work/check"; exit 1; }; tail -1 "$work/check")
export CHROMIUM="${CHROMIUM:-$(command -v chromium || true)}"
if [ -z "$CHROMIUM" ]; then
  command -v apt-get >/dev/null || { echo "skipped: the page in a browser; no chromium, and no apt-get to install it"; exit 0; }
  echo "== installing chromium"
  (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium) >/dev/null
  CHROMIUM=$(command -v chromium)
fi
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
wait_for() { for _ in $(seq 200); do curl -sf "$1" >/dev/null && return 0; sleep 0.1; done; echo "not there: $1"; cat "$work"/*.log; exit 1; }
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
(cd scripts/conformance/workbench && npm ci --no-audit --no-fund --silent)
node scripts/conformance/workbench/slow.mjs > "$work/upstream" &
pids="$!"
(cd scripts/conformance/oidc && npm ci --no-audit --no-fund --silent)
plain=$(free) keyed=$(free) slow=$(free) signed=$(free) issuer=$(free)
NODE_NO_WARNINGS=1 node scripts/conformance/oidc/provider.mjs "$issuer" "http://127.0.0.1:$signed/" > "$work/provider.log" 2>&1 &
pids="$pids $!"
for _ in $(seq 100); do [ -s "$work/upstream" ] && break; sleep 0.1; done
export UPSTREAM="$(cat "$work/upstream")"
export BASE_URL="http://127.0.0.1:$plain" KEYED_URL="http://127.0.0.1:$keyed" SLOW_URL="http://127.0.0.1:$slow" SIGNED_URL="http://127.0.0.1:$signed" KEY="user:workbench-password"
LECTERN_ADDR="127.0.0.1:$plain" LECTERN_DATA="$work/plain" "$work/lectern" 2> "$work/plain.log" &
pids="$pids $!"
LECTERN_ADDR="127.0.0.1:$keyed" LECTERN_DATA="$work/keyed" SERVER_AUTH_ENABLED=true SERVER_AUTH_SECRET="Basic $(printf %s "$KEY" | base64)" "$work/lectern" 2> "$work/keyed.log" &
pids="$pids $!"
LECTERN_ADDR="127.0.0.1:$slow" LECTERN_DATA="$work/slow" LECTERN_ALLOW_HOSTS=127.0.0.1 LECTERN_CHAT="openai+http://127.0.0.1:$(cat "$work/upstream")/v1?model=slow" "$work/lectern" 2> "$work/slow.log" &
pids="$pids $!"
LECTERN_ADDR="127.0.0.1:$signed" LECTERN_DATA="$work/signed" LECTERN_OPEN=key LECTERN_OIDC="http://127.0.0.1:$issuer?audience=page&collections=lectern&client=page" "$work/lectern" > "$work/signed.out" 2> "$work/signed.log" &
pids="$pids $!"
for at in "$plain" "$keyed" "$slow" "$signed"; do wait_for "http://127.0.0.1:$at/health"; done
echo "== $("$CHROMIUM" --version 2>/dev/null | head -1), playwright-core 1.65.1, axe-core 4.14.1"
node scripts/conformance/workbench/run.mjs
