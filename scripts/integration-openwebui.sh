#!/usr/bin/env bash
# Connects Open WebUI, a chat program, to the service by its address alone. It is
# installed without torch, which it needs for its own embeddings only.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
LECTERN_TOOLS=${LECTERN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/lectern-tools}
OPENWEBUI_VERSION=0.12.4 UV_VERSION=0.13.9
venv="$LECTERN_TOOLS/open-webui-$OPENWEBUI_VERSION"
if ! [ -x "$venv/bin/open-webui" ]; then
  python3 -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' || { echo "skipped: Open WebUI; it needs Python 3.11 or 3.12"; exit 0; }
  python3 -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check "uv==$UV_VERSION"
  printf "torch ; sys_platform == 'none'\ntriton ; sys_platform == 'none'\n" > "$work/overrides"
  "$venv/bin/uv" pip install -q -p "$venv/bin/python" --override "$work/overrides" "open-webui==$OPENWEBUI_VERSION"
fi
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
port=$(free) webui=$(free)
export BASE_URL="http://127.0.0.1:$port" WEBUI="http://127.0.0.1:$webui"
echo "== Open WebUI $OPENWEBUI_VERSION"
LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" LECTERN_CHAT="extractive:,openai+$UPSTREAM/v1?model=scripted" "$work/lectern" 2> "$work/log" &
pids="$!"
mkdir "$work/webui"
(cd "$work/webui" && DATA_DIR="$work/webui" OPENAI_API_BASE_URL="$BASE_URL/v1" OPENAI_API_KEY=none ENABLE_OLLAMA_API=false RAG_EMBEDDING_ENGINE=openai \
  OFFLINE_MODE=true HF_HUB_OFFLINE=1 exec "$venv/bin/open-webui" serve --host 127.0.0.1 --port "$webui" > "$work/webui.log" 2>&1) &
pids="$pids $!"
for url in "$BASE_URL/ready" "$WEBUI/api/config"; do
  for _ in $(seq 1200); do curl -sf "$url" > /dev/null && continue 2; sleep 0.1; done
  echo "not there: $url"; tail -20 "$work"/*.log; exit 1
done
python3 scripts/conformance/python/openwebui.py
