#!/usr/bin/env bash
# Starts the service and what it talks to on free ports, runs other people's
# clients and servers against it, and stops everything. Says what it ran, with
# versions.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
port=$(python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])' 2>/dev/null || echo 18080)
export BASE_URL="http://127.0.0.1:$port"
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
(cd scripts/conformance/typescript && npm ci --no-audit --no-fund --silent)
node scripts/conformance/typescript/upstream.mjs > "$work/upstream" &
pids="$!"
wait_for() { for _ in $(seq "$2"); do eval "$1" >/dev/null 2>&1 && return 0; sleep 0.1; done; echo "not there: $1"; [ ! -f "${3:-}" ] || tail -20 "$3"; exit 1; }
wait_for '[ -s "$work/upstream" ]' 100
export UPSTREAM="http://127.0.0.1:$(cat "$work/upstream")"
LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" LECTERN_CHAT="extractive:,openai+$UPSTREAM/v1?model=scripted" "$work/lectern" 2> "$work/log" &
pids="$pids $!"
wait_for 'curl -sf "$BASE_URL/ready"' 100 "$work/log"

echo "== @anthropic-ai/sdk 1.11.0 and 0.95.2 (node $(node --version))"
(cd scripts/conformance/typescript && node run.mjs)

echo "== ai 5.0.277, @ai-sdk/anthropic 2.0.112, @langchain/anthropic 1.5.11, openai 7.55.0"
(cd scripts/conformance/typescript && node others.mjs)

echo "== OpenAI's wires: openai 7.55.0, ai 5.0.277 with @ai-sdk/openai 2.0.131, @langchain/openai 1.6.0; batches: @anthropic-ai/sdk 1.11.0 and 0.95.2"
(cd scripts/conformance/typescript && node openai.mjs)

echo "== @anthropic-ai/claude-code 2.1.329, one turn without a terminal"
turn=$(cd "$work" && HOME="$work" ANTHROPIC_BASE_URL="$BASE_URL" ANTHROPIC_API_KEY=none-000000 DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
  timeout 120 "$OLDPWD/scripts/conformance/typescript/node_modules/.bin/claude" -p "Hello there" --output-format json < /dev/null)
node -e 'const t = JSON.parse(process.argv[1]); if (t.subtype !== "success" || !t.result) { console.log(process.argv[1]); process.exit(1) } console.log("ok   " + t.result)' "$turn"

echo "== anthropic-sdk-go v2.12.0 and v1.84.0"
(cd scripts/conformance/go && mkdir -p previous && sed 's#anthropic-sdk-go/v2#anthropic-sdk-go#' current/sdk_test.go > previous/sdk_test.go && go test -count=1 ./...)

bash scripts/integration-python.sh

bash scripts/integration-openwebui.sh

echo "== what was begun is finished"
bash scripts/integration-resume.sh

echo "== release"
bash scripts/integration-release.sh

echo "== the examples of README.md"
python3 -m venv "$work/examples" && "$work/examples/bin/pip" install -q --disable-pip-version-check -r scripts/conformance/python/current.txt
python3 scripts/conformance/readme.py "$work/examples/bin/python" scripts/conformance/typescript scripts/conformance/go

echo "== litellm 1.83.0 with mock answers, as a model provider"
python3 -m venv "$work/venv" && "$work/venv/bin/pip" install -q --disable-pip-version-check 'litellm[proxy]==1.83.0'
cat > "$work/litellm.yaml" <<'YAML'
model_list:
  - model_name: mocked
    litellm_params: {model: openai/gpt-4o-mini, api_key: none, mock_response: "A mocked answer, word by word."}
YAML
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
lite=$(free) second=$(free)
(cd "$work" && exec "$work/venv/bin/litellm" --config litellm.yaml --host 127.0.0.1 --port "$lite" > "$work/litellm.log" 2>&1) &
pids="$pids $!"
wait_for "curl -sf http://127.0.0.1:$lite/health/liveliness" 1200 "$work/litellm.log"
LECTERN_ADDR="127.0.0.1:$second" LECTERN_DATA="$work/data2" LECTERN_CHAT="openai+http://127.0.0.1:$lite/v1" "$work/lectern" 2> "$work/log2" &
pids="$pids $!"
wait_for "curl -sf http://127.0.0.1:$second/ready" 100 "$work/log2"
for stream in false true; do
  curl -sf "http://127.0.0.1:$second/v1/messages" -d '{"model":"mocked","max_tokens":50,"stream":'$stream',"messages":[{"role":"user","content":"hi"}]}' > "$work/answer"
  grep -q 'mocked' "$work/answer" && grep -q '"output_tokens":[1-9]' "$work/answer" || { cat "$work/answer"; tail -5 "$work/litellm.log"; exit 1; }
done
echo "ok   discovered and answered, streamed and not"

bash scripts/integration-mcp.sh

bash scripts/integration-oidc.sh

bash scripts/integration-components.sh

bash scripts/integration-workbench.sh

echo "== databases"
scripts/integration-sql.sh
bash scripts/integration-arm64.sh

echo "== templates"
bash scripts/integration-templates.sh
bash scripts/integration-deploy.sh
