#!/usr/bin/env bash
# Runs the official Python SDKs, LangChain, a validator of OpenAPI documents and
# schemathesis against the service. Needs UPSTREAM, a scripted model provider.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
port=$(free) secured=$(free)
LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" LECTERN_EMBEDDING=hash: LECTERN_ALLOW_HOSTS=127.0.0.1 \
  LECTERN_CHAT="extractive:,openai+$UPSTREAM/v1?model=scripted" LECTERN_SEARCH_WEB="searxng+$UPSTREAM" "$work/lectern" 2> "$work/log" &
pids="$!"
LECTERN_ADDR="127.0.0.1:$secured" LECTERN_DATA="$work/secured" LECTERN_EMBEDDING=hash: SERVER_AUTH_ENABLED=true \
  SERVER_AUTH_SECRET="Basic dXNlcjpwYXNz" "$work/lectern" 2> "$work/log2" &
pids="$pids $!"
export BASE_URL="http://127.0.0.1:$port" SECURED="http://127.0.0.1:$secured"
for url in "$BASE_URL/ready" "$SECURED/health"; do
  for _ in $(seq 100); do curl -sf "$url" > /dev/null && continue 2; sleep 0.1; done
  echo "not there: $url"; tail -20 "$work/log" "$work/log2"; exit 1
done
for generation in previous current; do
  python3 -m venv "$work/$generation"
  "$work/$generation/bin/pip" install -q --disable-pip-version-check -r "scripts/conformance/python/$generation.txt"
  echo "== anthropic $("$work/$generation/bin/python" -c 'import anthropic; print(anthropic.__version__)') (python)"
  "$work/$generation/bin/python" scripts/conformance/python/run.py
  "$work/$generation/bin/python" scripts/conformance/python/batches.py
done
"$work/previous/bin/python" scripts/conformance/python/langchain.py
echo "== openai $("$work/current/bin/python" -c 'import openai; print(openai.__version__)') (python)"
"$work/current/bin/python" scripts/conformance/python/openai_run.py
python3 -m venv "$work/frameworks" && "$work/frameworks/bin/pip" install -q --disable-pip-version-check -r scripts/conformance/python/frameworks.txt
"$work/frameworks/bin/python" scripts/conformance/python/openai_frameworks.py

echo "== openapi-spec-validator 0.9.0 and schemathesis 4.32.5"
curl -sf "$BASE_URL/openapi.json" > "$work/openapi.json"
"$work/current/bin/openapi-spec-validator" "$work/openapi.json"
# A stream that is followed ends only with its message, so its time is bounded.
if ! (cd "$work" && timeout 900 "$work/current/bin/schemathesis" --config-file "$OLDPWD/scripts/conformance/python/schemathesis.toml" \
  run "$BASE_URL/openapi.json" --url "$BASE_URL" --max-examples "${CASES:-25}" --seed 1 --phases fuzzing --suppress-health-check all --no-color \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
  > "$work/schemathesis" 2>&1); then
  cat "$work/schemathesis"; exit 1
fi
sed -n '/^Test cases:/,/^$/p' "$work/schemathesis"
