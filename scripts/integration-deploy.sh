#!/usr/bin/env bash
# Deploys the environment localstack to an emulator of AWS, with OpenSearch
# beside it, as make deploy would: the functions' zips, the templates of infra,
# the CDK's own command. Then it plays recordings against the deployed API and
# talks to it as a client. Says what it ran, with versions.
#
# What the emulator cannot show, and what is done about it:
#   streaming       it buffers; the environment says so, and template tests hold
#                   the others to STREAM
#   serverless      it has no OpenSearch Serverless; the index is a server's
#   permissions     it does not enforce roles; template tests read the policies
#   escaped paths   it hands %2F on as a slash (AWS keeps it), so files/invalid
#                   is left out
#   empty answers   it adds a content type, so streams/life is left out
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
pids=""
cleanup() { [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
. localstack/start.sh
CDK_VERSION=2.1148.1
cli="$LECTERN_TOOLS/aws-cdk-$CDK_VERSION"
[ -x "$cli/node_modules/.bin/cdk" ] || { mkdir -p "$cli" && npm install --silent --no-audit --no-fund --prefix "$cli" "aws-cdk@$CDK_VERSION"; }

start_ministack
start_opensearch
export AWS_ENDPOINT_URL=$MINISTACK NODE_NO_WARNINGS=1 JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=1 CI=1

echo "== deployment to MiniStack $MINISTACK_VERSION by aws-cdk $CDK_VERSION"
go run ./scripts/build -out "$work/dist" -arch amd64 > "$work/build"
(cd infra && go build -o "$work/infra" .)
CDK_OUTDIR="$work/cdk.out" ENV=localstack SEARCH="opensearch+$OPENSEARCH" ENDPOINT="$MINISTACK" DIST="$work/dist" "$work/infra" > "$work/synth" 2>&1 || { cat "$work/synth"; exit 1; }
curl -sf -X PUT "$MINISTACK/lectern-assets" > /dev/null
(cd "$work" && "$cli/node_modules/.bin/cdk" deploy --app "$work/cdk.out" --all --require-approval never --progress events --no-notices --outputs-file "$work/outputs.json") > "$work/deploy" 2>&1 ||
  { grep -E 'FAILED|❌|Error' "$work/deploy" | tail -20; exit 1; }
address=$(node -p 'require(process.argv[1])["lectern-localstack-service"].Address' "$work/outputs.json")
echo "ok   $(grep -c CREATE_COMPLETE "$work/deploy") resources"

echo "== a client of the deployment"
go run ./scripts/smoke -url "$address" || { tail -40 "$work/ministack.log"; exit 1; }

# invoke FUNCTION EVENT calls a function as the cloud does.
invoke() {
  curl -sf -D "$work/head" -o "$work/answer" -X POST --data-binary "@$2" "$MINISTACK/2015-03-31/functions/lectern-localstack-$1/invocations" &&
    ! grep -qi '^x-amz-function-error' "$work/head" || { echo "$1 fails:"; cat "$work/answer"; tail -20 "$work/ministack.log"; exit 1; }
}
output() { node -p 'Object.values(require(process.argv[1])).map(o => o[process.argv[2]]).find(v => v)' "$work/outputs.json" "$1"; }

# What a dead ingest left: its text, and a chunk in the index.
echo "== the sweep"
bucket=$(output Bucket)
index=$(curl -sf "$OPENSEARCH/_cat/indices/lectern*?h=index")
generation=01E00000000000000000000000 # of March 2020
orphan="$MINISTACK/$bucket/documents/00000000000000000000000000000000/$generation"
count() { curl -sf "$OPENSEARCH/$index/_count" -H 'Content-Type: application/json' -d "$1" | node -p 'JSON.parse(require("fs").readFileSync(0)).count'; }
dead='{"query":{"term":{"generation":"'$generation'"}}}' others='{"query":{"bool":{"must_not":{"term":{"generation":"'$generation'"}}}}}'
curl -sf -X PUT -d text "$orphan" > /dev/null
curl -sf "$OPENSEARCH/$index/_doc?refresh=true" -H 'Content-Type: application/json' -d '{"id":"'$generation'-0","collection":"c","artifact":"gone","generation":"'$generation'","order":0}' > /dev/null
kept=$(count "$others")
[ "$(count "$dead")" = 1 ] && [ "$kept" -gt 0 ] || { echo "nothing to sweep, or nothing to keep"; exit 1; }
invoke system-sweep events/schedule.json
curl -sf -X POST "$OPENSEARCH/$index/_refresh" > /dev/null
status=$(curl -s -o "$work/answer" -w '%{http_code}' "$orphan")
[ "$status" = 404 ] && [ "$(count "$dead")" = 0 ] && [ "$(count "$others")" = "$kept" ] || { echo "after the sweep: the text answers $status, $(count "$dead") dead chunks, $(count "$others") of $kept others"; exit 1; }
echo "ok   a dead ingest's text and chunk are gone, $kept other chunks stayed"

# CloudFormation runs the setup anew when what it depends on changes, and
# again when an answer was lost.
echo "== the setup, again"
parameter() { curl -sf "$MINISTACK/" -H 'X-Amz-Target: AmazonSSM.GetParameter' -H 'Content-Type: application/x-amz-json-1.1' -H 'Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/ssm/aws4_request, SignedHeaders=host, Signature=0' -d '{"Name":"'"$1"'","WithDecryption":true}' | node -p 'JSON.parse(require("fs").readFileSync(0)).Parameter.Value'; }
secrets() { parameter /lectern/localstack/seal-key; parameter /lectern/localstack/webhook-secret; }
secrets > "$work/secrets"
grep -q whsec_ "$work/secrets" || { echo "the setup made no secrets"; exit 1; }
for kind in Create Update; do
  cat > "$work/event" <<EOF
{"RequestType":"$kind","ResponseURL":"$MINISTACK/$bucket/setup-$kind","StackId":"arn:aws:cloudformation:us-east-1:000000000000:stack/s/1","RequestId":"again","ResourceType":"AWS::CloudFormation::CustomResource",
 "LogicalResourceId":"Setup","PhysicalResourceId":"Setup","ResourceProperties":{"SealKey":"/lectern/localstack/seal-key","WebhookSecret":"/lectern/localstack/webhook-secret","Retain":"false"}}
EOF
  invoke system-setup "$work/event"
  curl -sf "$MINISTACK/$bucket/setup-$kind" | grep -q '"SUCCESS"' || { echo "the setup tells CloudFormation:"; curl -s "$MINISTACK/$bucket/setup-$kind"; exit 1; }
done
secrets | cmp -s "$work/secrets" - && [ "$(count "$others")" = "$kept" ] || { echo "the setup changed secrets or index"; exit 1; }
echo "ok   secrets and index are as they were"

# Recordings pin what a fresh store of the embedded drivers answers. Left out
# are those that depend on ids that count (skills, artifacts/tasks, artifacts/life),
# on an empty store, whose counts are in scores (artifacts/collections,
# artifacts/list, primitives/search, messages/search,
# tools/semantic_search), on checksums that S3 makes differently (files/life,
# messages/files), on ids in counted prompts (messages/skills), on programs
# beside the service (artifacts/readers), and messages/unsupported, because a
# function takes tools that the embedded service says it has not.
echo "== recordings against the deployment"
replay() {
  LECTERN_REPLAY_URL=$address go test -count=1 -v -run "TestRecordings/^($2)\$" "./functions/$1" > "$work/replay" 2>&1 || { grep -v '^=== ' "$work/replay" | head -60; exit 1; }
  echo "ok   $1: $(grep -c '^    --- PASS' "$work/replay")"
}
for group in models tokens embeddings system; do replay $group '.*'; done
replay messages 'citations|complete|history|invalid|plain|servers|structured|thinking|tools|validate'
replay primitives 'invalid'
replay artifacts 'idempotency|invalid'
replay tools 'databases|tables'
