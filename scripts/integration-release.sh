#!/usr/bin/env bash
# Builds the release for this machine, checks its sums, and starts the program from an
# empty directory, then the image's one layer as a container would: as its user, in its
# root where that is allowed, with its environment. Each answers with a citation.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pid=""
stop() { [ -z "$pid" ] || kill "$pid" 2>/dev/null || true; wait 2>/dev/null || true; pid=""; }
trap 'stop; rm -rf "$work"' EXIT
free() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
ready() { for _ in $(seq 200); do curl -sf "http://127.0.0.1:$1/health" > /dev/null && return 0; sleep 0.1; done; echo "not there: $1"; cat "$work"/*.log; exit 1; }
arch=$(go env GOARCH)
[ "$(go env GOOS)" = linux ] || { echo "skipped: the release; it is started on linux only"; exit 0; }
(cd scripts/release && go vet . && go run . -only "linux/$arch" -out "$work/release")
(cd "$work/release" && sha256sum -c --quiet SHA256SUMS)
program="$work/release/lectern-linux-$arch"
"$program" --version
python3 - "$work/release" <<'PY'
import json, sys
parts = json.load(open(sys.argv[1] + "/lectern.cdx.json"))
names = {c["name"] for c in parts["components"]}
assert parts["bomFormat"] == "CycloneDX" and {"go", "go.etcd.io/bbolt", "pdfjs-dist", "all-MiniLM-L6-v2"} <= names, names
print("ok   bill of materials:", len(names), "parts")
PY

# asks PORT [KEY]: brings a document and asks it.
asks() {
  (cd "$work" && echo "Every employee has 28 days of paid leave a year." > leave.txt &&
    export LECTERN_URL="http://127.0.0.1:$1" LECTERN_KEY="${2:-}" LECTERN_COLLECTION=handbook &&
    "$program" ingest leave.txt > /dev/null && "$program" ask "How many days of paid leave are there?" > answer)
  grep -q '28 days.* \[1\]' "$work/answer" && grep -q '^\[1\] leave.txt' "$work/answer" || { cat "$work/answer"; exit 1; }
}
mkdir "$work/empty"
port=$(free)
(cd "$work/empty" && exec env -i LECTERN_ADDR="127.0.0.1:$port" "$program" > "$work/program.log" 2>&1) &
pid=$!
ready "$port"
asks "$port"
stop
echo "ok   the program in an empty directory: a cited answer"

python3 - "$work/release" "$work/root" "$arch" <<'PY'
import hashlib, json, os, sys, tarfile
release, root, arch = sys.argv[1:]
blob = lambda d: os.path.join(release, "oci", "blobs", *d["digest"].split(":"))
def read(d):
    raw = open(blob(d), "rb").read()
    assert hashlib.sha256(raw).hexdigest() == d["digest"][7:] and len(raw) == d["size"], d
    return raw
index = json.loads(read(json.load(open(release + "/oci/index.json"))["manifests"][0]))
manifest = json.loads(read(next(m for m in index["manifests"] if m["platform"] == {"os": "linux", "architecture": arch})))
config = json.loads(read(manifest["config"]))
for layer in manifest["layers"]:
    read(layer)
    tarfile.open(blob(layer)).extractall(root, filter=(lambda m, _: m) if os.geteuid() == 0 else "data")
c = config["config"]
assert c["User"] == "65532:65532" and c["Volumes"] == {"/data": {}} and c["Entrypoint"] == ["/lectern"], c
assert os.path.getsize(root + "/etc/ssl/certs/ca-certificates.crt") > 100_000
open(root + ".env", "w").write("\n".join(c["Env"]))
PY
port=$(free)
# contained: the program as the image starts it, but for the port.
contained() {
  local -a env
  mapfile -t env < <(grep -v '^LECTERN_ADDR=' "$work/root.env")
  if [ "$(id -u)" = 0 ]; then
    exec env -i "${env[@]}" LECTERN_ADDR="0.0.0.0:$port" "$(command -v chroot)" --userspec=65532:65532 "$work/root" /lectern
  fi
  exec env -i "${env[@]}" LECTERN_ADDR="0.0.0.0:$port" LECTERN_DATA="$work/root/data" "$work/root/lectern"
}
chmod 755 "$work"
(contained > "$work/first.out" 2> "$work/first.log") &
pid=$!
ready "$port"
key=$(grep -oE '^ +lectern-[A-Z0-9]+$' "$work/first.out" | tr -d ' ')
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/v1/models")" = 401 ] || { echo "open without a key"; exit 1; }
asks "$port" "$key"
stop
(contained > "$work/second.out" 2> "$work/second.log") &
pid=$!
ready "$port"
asks "$port" "$key"
! grep -q "$key" "$work/second.out" "$work/first.log" "$work/second.log" || { echo "the key is shown again"; exit 1; }
echo "ok   the image's layer$([ "$(id -u)" = 0 ] && echo ", in its own root as user 65532"): a key at the first start alone, nothing without it, a cited answer"
