#!/usr/bin/env bash
# Shows that what was begun is finished: a batch of 1,000 conversations whose service is
# killed twice, and a sync of 500 files, one of them broken, that is killed and run again.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pid=""
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
port=$(python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])')
export LECTERN_URL="http://127.0.0.1:$port" LECTERN_COLLECTION=resumed
CGO_ENABLED=0 go build -o "$work/lectern" ./functions/local
serve() {
  LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/data" LECTERN_EMBEDDING=hash: "$work/lectern" 2>> "$work/log" &
  pid=$!
  for _ in $(seq 200); do curl -sf "$LECTERN_URL/ready" > /dev/null && return 0; sleep 0.1; done
  echo "not there: $LECTERN_URL"; tail -20 "$work/log"; exit 1
}
serve
python3 - "$work" <<'PY'
import os, sys
docs = sys.argv[1] + "/docs"
for i in range(500):
    path = f"{docs}/part {i % 7}/file {i}.md"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(f"# File {i}\n\n" + " ".join(f"Sentence {j} of file {i} tells of matter {i * j}." for j in range(40)))
open(docs + "/part 3/broken.pdf", "w").write("no PDF")
PY

echo "== a sync of 500 files and a broken one, killed and run again"
"$work/lectern" sync --json "$work/docs" > "$work/first" 2>> "$work/log" &
sync=$!
for _ in $(seq 3000); do [ "$(wc -l < "$work/first")" -ge 120 ] && break; sleep 0.02; done
kill -9 "$sync"; wait "$sync" 2>/dev/null || true
before=$(grep -c '"done":"ingested"' "$work/first")
if "$work/lectern" sync "$work/docs" > "$work/second" 2> "$work/failures"; then echo "the broken file is not told"; exit 1; fi
read -r ingested unchanged <<< "$(tail -1 "$work/second" | sed -nE 's/^([0-9]+) ingested, ([0-9]+) unchanged, 1 failed$/\1 \2/p')"
# A file may be in the service without the client having printed it before it was killed.
[ "$before" -ge 100 ] && [ "$before" -lt 500 ] && [ "${unchanged:-0}" -ge "$before" ] && [ $((ingested + unchanged)) -eq 500 ] ||
  { echo "$before moved before the kill, then: $(tail -1 "$work/second")"; exit 1; }
grep -q 'part 3/broken.pdf: ' "$work/failures" || { cat "$work/failures"; exit 1; }
rm "$work/docs/part 3/broken.pdf"
"$work/lectern" sync "$work/docs" | grep -qx "500 unchanged"
echo "ok   $before moved before the kill, $(tail -1 "$work/second"), the failure named; then 500 unchanged"

echo "== a batch of 1,000, killed twice"
WORK="$work" python3 - <<'PY'
import json, os
params = lambda i: {"model": "default", "max_tokens": 300, "messages": [{"role": "user", "content": f"What does sentence {i % 40} of file {i % 500} tell of?"}],
                    "tools": [{"name": "search", "type": "semantic_search_v1", "context": [{"type": "ingested_artifact", "context_filter": {"collection": "resumed"}}]}]}
json.dump({"requests": [{"custom_id": f"r{i}", "params": params(i)} for i in range(1000)]}, open(os.environ["WORK"] + "/batch.json", "w"))
PY
id=$(curl -sf "$LECTERN_URL/v1/messages/batches" -d @"$work/batch.json" | python3 -c 'import json, sys; print(json.load(sys.stdin)["id"])')
counts() { curl -sf "$LECTERN_URL/v1/messages/batches/$id" | python3 -c 'import json, sys; b = json.load(sys.stdin); print(b["processing_status"], b["request_counts"]["succeeded"])'; }
killed=""
for least in 200 500; do
  for _ in $(seq 3000); do read -r state done_ <<< "$(counts)"; [ "$done_" -lt "$least" ] || break; sleep 0.02; done
  [ "$state" = in_progress ] || { echo "the batch was over before the kill: $state $done_"; exit 1; }
  kill -9 "$pid"; wait "$pid" 2>/dev/null || true
  killed="$killed $done_"
  serve
done
for _ in $(seq 1200); do read -r state done_ <<< "$(counts)"; [ "$state" = ended ] && break; sleep 0.1; done
curl -sf "$LECTERN_URL/v1/messages/batches/$id/results" > "$work/results"
python3 - "$work/results" <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert [l["custom_id"] for l in lines] == [f"r{i}" for i in range(1000)], len(lines)
assert all(l["result"]["type"] == "succeeded" and l["result"]["message"]["stop_reason"] == "end_turn" for l in lines)
PY
echo "ok   killed when$killed were answered; 1,000 results, in order, each once"
