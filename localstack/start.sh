# Starts look-alikes of AWS and a real OpenSearch on free ports, without Docker.
# Sourced by scripts that have set $work, a directory for data and logs, and
# that stop the processes of $pids at their end:
#
#   start_ministack    sets MINISTACK      S3, DynamoDB, SQS, Lambda, API Gateway, CloudFormation …
#   start_dynalite     sets DYNALITE       DynamoDB
#   start_versitygw    sets VERSITYGW      S3
#   start_opensearch   sets OPENSEARCH     OpenSearch with k-NN
#   start_toxiproxy    sets TOXIPROXY      a proxy that tests tell to break connections
#   start_searchgate   sets SEARCHGATE     a serverless collection, by the OpenSearch behind it; takes
#                                          the least and the most time until writes are shown
#
#   start_rights       sets RIGHTS         before MiniStack: notes who asks for what
#
# Programs come from PyPI, npm, the Go module proxy and Maven, with their
# versions pinned here, and stay in $LECTERN_TOOLS between runs.

LECTERN_TOOLS=${LECTERN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/lectern-tools}
MINISTACK_VERSION=1.5.33
DYNALITE_VERSION=4.0.0
VERSITYGW_VERSION=v1.8.0
OPENSEARCH_VERSION=2.19.1.0
TOXIPROXY_VERSION=v2.12.0

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=testtesttest AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true

free_port() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }

# until_there COMMAND SECONDS LOG
until_there() {
  for _ in $(seq $(($2 * 5))); do
    if eval "$1" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  echo "not there after $2 s: $1"
  tail -30 "$3"
  return 1
}

start_ministack() {
  local venv="$LECTERN_TOOLS/ministack-$MINISTACK_VERSION" port
  [ -x "$venv/bin/ministack" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check "ministack==$MINISTACK_VERSION"; }
  port=$(free_port)
  (cd "$work" && GATEWAY_PORT=$port exec "$venv/bin/ministack" > "$work/ministack.log" 2>&1) &
  pids="$pids $!"
  MINISTACK="http://127.0.0.1:$port"
  until_there "curl -s $MINISTACK/_ministack/health" 60 "$work/ministack.log"
}

start_dynalite() {
  local dir="$LECTERN_TOOLS/dynalite-$DYNALITE_VERSION" port
  [ -d "$dir/node_modules/dynalite" ] || { mkdir -p "$dir" && npm install --silent --no-audit --no-fund --prefix "$dir" "dynalite@$DYNALITE_VERSION"; }
  port=$(free_port)
  # A request that breaks off would be the end of the whole server.
  node --import 'data:text/javascript,process.on("uncaughtException",()=>{})' "$dir/node_modules/dynalite/cli.js" --port "$port" --createTableMs 0 --deleteTableMs 0 > "$work/dynalite.log" 2>&1 &
  pids="$pids $!"
  DYNALITE="http://127.0.0.1:$port"
  until_there "curl -s $DYNALITE" 20 "$work/dynalite.log"
}

start_versitygw() {
  local bin="$LECTERN_TOOLS/versitygw-$VERSITYGW_VERSION" port
  [ -x "$bin" ] || { mkdir -p "$LECTERN_TOOLS" && GOBIN="$LECTERN_TOOLS/bin" CGO_ENABLED=0 go install "github.com/versity/versitygw/cmd/versitygw@$VERSITYGW_VERSION" && mv "$LECTERN_TOOLS/bin/versitygw" "$bin"; }
  port=$(free_port)
  mkdir -p "$work/versitygw/bucket"
  ROOT_ACCESS_KEY=$AWS_ACCESS_KEY_ID ROOT_SECRET_KEY=$AWS_SECRET_ACCESS_KEY "$bin" --port "127.0.0.1:$port" posix "$work/versitygw" > "$work/versitygw.log" 2>&1 &
  pids="$pids $!"
  VERSITYGW="http://127.0.0.1:$port"
  until_there "curl -s $VERSITYGW" 20 "$work/versitygw.log"
}

start_opensearch() {
  local dir="$LECTERN_TOOLS/opensearch-$OPENSEARCH_VERSION" port
  if [ ! -f "$dir/ready" ]; then
    mkdir -p "$dir/lib" "$dir/plugin"
    mvn -q -B -f localstack/opensearch/pom.xml dependency:copy-dependencies -DoutputDirectory="$dir/lib" > "$work/maven.log" 2>&1 &&
      mvn -q -B dependency:copy -Dartifact="org.opensearch.plugin:opensearch-knn:$OPENSEARCH_VERSION:zip" -DoutputDirectory="$dir" >> "$work/maven.log" 2>&1 &&
      python3 -m zipfile -e "$dir/opensearch-knn-$OPENSEARCH_VERSION.zip" "$dir/plugin" || { cat "$work/maven.log"; return 1; }
    touch "$dir/ready"
  fi
  port=$(free_port)
  javac -cp "$dir/lib/*" -d "$work" localstack/opensearch/Node.java
  java -Xms512m -Xmx1g -cp "$work:$dir/lib/*:$dir/plugin/*" Node "$work/opensearch" "$port" > "$work/opensearch.log" 2>&1 &
  pids="$pids $!"
  OPENSEARCH="http://127.0.0.1:$port"
  until_there "grep -q READY $work/opensearch.log && curl -sf $OPENSEARCH/_cluster/health" 120 "$work/opensearch.log"
}

start_toxiproxy() {
  local bin="$LECTERN_TOOLS/toxiproxy-$TOXIPROXY_VERSION" port
  [ -x "$bin" ] || { mkdir -p "$LECTERN_TOOLS" && GOBIN="$LECTERN_TOOLS/bin" CGO_ENABLED=0 go install "github.com/Shopify/toxiproxy/v2/cmd/server@$TOXIPROXY_VERSION" && mv "$LECTERN_TOOLS/bin/server" "$bin"; }
  port=$(free_port)
  LOG_LEVEL=error "$bin" -host 127.0.0.1 -port "$port" > "$work/toxiproxy.log" 2>&1 &
  pids="$pids $!"
  TOXIPROXY="http://127.0.0.1:$port"
  until_there "curl -s $TOXIPROXY/version" 20 "$work/toxiproxy.log"
}

# start_searchgate LEAST MOST notes what it was asked in $work/searchgate.notes.
# MiniStack's functions sign by the number of their account.
start_searchgate() {
  local port
  [ -x "$work/searchgate" ] || go build -o "$work/searchgate" ./scripts/searchgate
  port=$(free_port)
  "$work/searchgate" -listen "127.0.0.1:$port" -to "$OPENSEARCH" -callers 000000000000 -least "$1" -most "$2" -notes "$work/searchgate.notes" > "$work/searchgate.log" 2>&1 &
  pids="$pids $!"
  SEARCHGATE="http://127.0.0.1:$port"
  until_there "curl -s $SEARCHGATE" 20 "$work/searchgate.log"
}

# start_rights notes in $work/rights.notes what each function asks of MiniStack.
start_rights() {
  local port
  go build -o "$work/rights" ./scripts/rights
  port=$(free_port)
  "$work/rights" -port "$port" -to "$MINISTACK" -notes "$work/rights.notes" > "$work/rights.log" 2>&1 &
  pids="$pids $!"
  RIGHTS="http://127.77.0.{function}:$port"
  until_there "curl -s http://127.77.0.254:$port/_ministack/health" 20 "$work/rights.log"
}
