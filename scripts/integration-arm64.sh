#!/usr/bin/env bash
# Runs what is made for arm64 under qemu-user, which has every instruction, and none of
# arm64's times: the embedder's tests with SDOT and on a processor without it, then the
# program, whose document is found by its meaning. Compares the assembly with what its
# generators write, and its words with their mnemonics.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pid=""
stop() { [ -z "$pid" ] || kill "$pid" 2>/dev/null || true; wait 2>/dev/null || true; pid=""; }
trap 'stop; rm -rf "$work"' EXIT
package() { # package, program that shows that it is there
  command -v "$2" >/dev/null && return 0
  command -v apt-get >/dev/null || { echo "skip arm64: no $2, and no apt-get to install it"; exit 0; }
  [ "$(id -u)" = 0 ] || { echo "skip arm64: no $2, and only root can install it"; exit 0; }
  apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}
[ "$(go env GOOS)" = linux ] || { echo "skip arm64: qemu-user is for linux"; exit 0; }
package qemu-user-static qemu-aarch64-static
package binutils-aarch64-linux-gnu aarch64-linux-gnu-as
echo "== arm64 under $(qemu-aarch64-static --version | head -1)"
embedder=shared/knowledge/embedding/minilmembedding

(cd $embedder/asm && go vet ./... && go run . -pkg minilmembedding -out "$work/kernels_amd64.s" -stubs "$work/stubs_amd64.go" &&
  go run ./arm64 -out "$work/kernels_arm64.s" -stubs "$work/stubs_arm64.go")
for file in kernels_amd64.s stubs_amd64.go kernels_arm64.s stubs_arm64.go; do # the first line is the command
  diff <(tail -n +2 "$work/$file") <(tail -n +2 $embedder/$file) > "$work/diff" || { echo "go generate ./$embedder has not been run: $file"; head -5 "$work/diff"; exit 1; }
done
sed -n 's#^\tWORD \$0x[0-9a-f]* // ##p' $embedder/kernels_arm64.s > "$work/mnemonics"
sed -n 's#^\tWORD \$0x\([0-9a-f]*\) // .*#\1#p' $embedder/kernels_arm64.s > "$work/words"
aarch64-linux-gnu-as -march=armv8.2-a+dotprod -o "$work/object" "$work/mnemonics"
diff "$work/words" <(aarch64-linux-gnu-objdump -d "$work/object" | awk '$1 ~ /^[0-9a-f]+:$/ {print $2}') > "$work/diff" || { head -5 "$work/diff"; exit 1; }
echo "ok   the assembly is what its generators write; $(wc -l < "$work/words") words mean what stands beside them"

export CGO_ENABLED=0
GOARCH=arm64 go test -c -o "$work/embedder.test" ./$embedder
GOARCH=arm64 go build -o "$work/lectern" ./functions/local
# tests CPU KERNELS: the embedder's tests, which have to use these kernels. What the
# contract says of lengths is left out: it embeds long texts again and again.
tests() {
  (cd $embedder && qemu-aarch64-static -cpu "$1" "$work/embedder.test" -test.v -test.short -test.skip TestContract/vectors -test.timeout 600s) > "$work/tests" || { tail -30 "$work/tests"; exit 1; }
  grep -q -- "--- PASS: TestKernels/$2 " "$work/tests" || { echo "$1 does not use $2"; grep -- '--- PASS' "$work/tests"; exit 1; }
  echo "ok   $1, $2: $(grep -oE "$2: mean cosine .*" "$work/tests" | cut -d' ' -f2- | head -1), $(grep -c -- '^--- PASS' "$work/tests") tests"
}
tests max NEON
tests cortex-a53 portable
! grep -q NEON "$work/tests" || { echo "a processor without SDOT uses it"; exit 1; }

lectern() { qemu-aarch64-static "$work/lectern" "$@"; }
echo "Every employee has 28 days of paid leave a year." > "$work/leave.txt"
echo "Dogs are welcome on the second floor of the office." > "$work/animals.txt"
# program CPU KERNELS DOCUMENTS: starts the program, brings documents, and asks; DOCUMENTS
# says whether they get vectors.
program() {
  port=$(python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])')
  export LECTERN_URL="http://127.0.0.1:$port" LECTERN_COLLECTION=handbook
  LECTERN_ADDR="127.0.0.1:$port" LECTERN_DATA="$work/$1" qemu-aarch64-static -cpu "$1" "$work/lectern" 2> "$work/log" &
  pid=$!
  for _ in $(seq 300); do curl -sf "$LECTERN_URL/ready" > /dev/null && break; sleep 0.1; done
  grep -q '"msg":"the built-in embedder is ready","kernels":"'"$2"'","documents":'"$3" "$work/log" || { tail -20 "$work/log"; exit 1; }
  lectern ingest "$work/leave.txt" "$work/animals.txt" > /dev/null
  for _ in $(seq 300); do curl -sf "$LECTERN_URL/ready" > "$work/ready"; grep -q vectors_pending "$work/ready" || break; sleep 0.1; done
  ! grep -q vectors_pending "$work/ready" || { echo "no vectors:"; cat "$work/ready"; exit 1; }
  lectern ask "How many days of paid leave are there?" > "$work/words"
  grep -q '28 days.* \[1\]' "$work/words" || { cat "$work/words"; exit 1; }
  lectern ask "Can I bring my puppy to work?" > "$work/meaning" || true # fails where nothing is found
  if [ "$3" = true ]; then want='Dogs are welcome.* \[1\]'; else want='Nothing relevant'; fi
  grep -q "$want" "$work/meaning" || { cat "$work/meaning"; exit 1; }
  stop
  echo "ok   the program on $1: a cited answer by words; by meaning: $(head -1 "$work/meaning")"
}
program max NEON true
program cortex-a53 portable false
