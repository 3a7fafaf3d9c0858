#!/usr/bin/env bash
# Lets in who signs in by an OpenID provider, oidc-provider of npm, and nobody else.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
wait_for() { for _ in $(seq 200); do (exec 3<> "/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0; sleep 0.1; done; echo "nothing listens on $1"; cat "$work"/*.log; exit 1; }
echo "== oidc-provider 9.13.3"
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
(cd scripts/conformance/oidc && npm ci --no-audit --no-fund --silent)
port=$(free) issuer=$(free)
NODE_NO_WARNINGS=1 node scripts/conformance/oidc/provider.mjs "$issuer" > "$work/provider.log" 2>&1 &
pids="$!"
wait_for "$issuer"
LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" LECTERN_OPEN=key LECTERN_EMBEDDING=hash: \
  LECTERN_OIDC="http://127.0.0.1:$issuer?audience=lectern&audience=lectern-es&collections=lectern" "$work/lectern" > "$work/out.log" 2> "$work/lectern.log" &
pids="$pids $!"
wait_for "$port"
# token RESOURCE prints an access token for it.
token() {
  curl -sf "http://127.0.0.1:$issuer/token" -u team:secret-of-the-team -d grant_type=client_credentials -d scope=read -d "resource=urn:$1" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["access_token"])'
}
call() { curl -s -o "$work/answer" -w '%{http_code}' -H "authorization: Bearer $1" "http://127.0.0.1:$port/$2" "${@:3}"; }
expect() { [ "$2" = "$1" ] || { echo "$3: $2, not $1: $(cat "$work/answer")"; tail -5 "$work/lectern.log"; exit 1; }; }
for audience in lectern lectern-es; do
  t=$(token "$audience")
  expect 200 "$(call "$t" v1/artifacts/ingest -H 'content-type: application/json' -d '{"collection": "handbook", "artifact": "leave", "input": {"type": "text", "value": "Every employee has 28 days of leave."}}')" "ingest with a token for $audience"
  expect 200 "$(call "$t" v1/messages -d '{"model": "default@handbook", "max_tokens": 200, "messages": [{"role": "user", "content": "How many days of leave are there?"}]}')" "chat with a token for $audience"
  grep -q '28 days' "$work/answer" || { cat "$work/answer"; exit 1; }
  expect 403 "$(call "$t" v1/messages -d '{"model": "default@salaries", "max_tokens": 200, "messages": [{"role": "user", "content": "hi"}]}')" "another collection"
  expect 403 "$(call "$t" v1/admin/keys)" "administration"
  expect 401 "$(call "${t%??????}AAAAAA" v1/models)" "a changed token"
done
expect 401 "$(call "$(token shop)" v1/models)" "a token for another service"
expect 401 "$(call "" v1/models)" "without a token"
expect 200 "$(call "$(cat "$work/data/access.key")" v1/admin/keys)" "the first key"
echo "ok   tokens signed by RS256 and ES256 let in to their collections; others, changed and missing ones do not"
