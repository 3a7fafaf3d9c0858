#!/usr/bin/env bash
# Runs the ports' suites on the AWS drivers against components that we did not
# write, each started on a free port and stopped at the end. Says which, with
# versions. LECTERN_DATA_RETRIEVAL names the evaluation data, where it is there:
# then both indexes answer its questions, and are held to each other.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
. localstack/start.sh

# suite NAME PACKAGE [TESTS]: a suite that skips is a failure here.
suite() {
  if ! go test -count=1 -timeout 300s -run "${3:-.}" -v "$2" > "$work/suite.log" 2>&1 || grep -q '^--- SKIP' "$work/suite.log"; then
    grep -E '^ *--- FAIL|^--- SKIP|^ +[a-z_]+\.go:[0-9]+: |^panic: ' "$work/suite.log" | head -40
    exit 1
  fi
  echo "ok   $1: $(grep -c '^ *--- PASS' "$work/suite.log") tests"
}

# The suites run through it too, with connections that break.
start_toxiproxy
export LECTERN_TEST_TOXIPROXY=$TOXIPROXY

echo "== versitygw $VERSITYGW_VERSION"
start_versitygw
AWS_ENDPOINT_URL=$VERSITYGW suite "object on S3" ./shared/storage/object/s3object

echo "== dynalite $DYNALITE_VERSION"
start_dynalite
AWS_ENDPOINT_URL=$DYNALITE suite "record on DynamoDB" ./shared/storage/record/dynamorecord

echo "== both together"
AWS_ENDPOINT_URL_S3=$VERSITYGW AWS_ENDPOINT_URL_DYNAMODB=$DYNALITE suite "stores that belong together" ./shared/storage/identity

echo "== MiniStack $MINISTACK_VERSION"
start_ministack
AWS_ENDPOINT_URL=$MINISTACK suite "object on S3" ./shared/storage/object/s3object
AWS_ENDPOINT_URL=$MINISTACK suite "record on DynamoDB" ./shared/storage/record/dynamorecord
AWS_ENDPOINT_URL=$MINISTACK suite "stores that belong together" ./shared/storage/identity
AWS_ENDPOINT_URL=$MINISTACK suite "task on SQS" ./shared/storage/task/sqstask
AWS_ENDPOINT_URL=$MINISTACK suite "task on Step Functions" ./shared/storage/task/machinetask

echo "== OpenSearch $OPENSEARCH_VERSION with k-NN ($(java -version 2>&1 | head -1))"
start_opensearch
LECTERN_TEST_OPENSEARCH=$OPENSEARCH suite "index on OpenSearch" ./shared/knowledge/index/opensearchindex
LECTERN_TEST_OPENSEARCH=$OPENSEARCH suite "the same scores on both indexes" ./shared/knowledge/retrieval
echo "== the same through a gate that takes what a serverless collection takes, signed, and shows writes later"
start_searchgate 20ms 60ms
LECTERN_TEST_OPENSEARCH="$SEARCHGATE?service=aoss" suite "index on a serverless collection" ./shared/knowledge/index/opensearchindex TestContract
LECTERN_TEST_OPENSEARCH="$SEARCHGATE?service=aoss" suite "the same scores on both" ./shared/knowledge/retrieval TestSameScores
# The tests ask for what is refused nowhere.
if grep refused "$work/searchgate.notes" | grep -v ' 403 Forbidden: the request is not signed' | head -5 | grep .; then exit 1; fi
if [ -n "${LECTERN_DATA_RETRIEVAL:-}" ]; then
  go run ./scripts/eval -data "$LECTERN_DATA_RETRIEVAL" -compare "opensearch+$OPENSEARCH"
fi
