#!/usr/bin/env bash
# Deploys the environment localstack to an emulator of AWS, with OpenSearch behind
# a gate that takes what a serverless collection takes, as make deploy would: the
# functions' zips, the templates of infra, the CDK's own command. Talks to it as a
# client, plays recordings, deploys it again with another version of the index's
# mapping and with keys, and deletes it to nothing. Says what it ran, with versions.
#
# With AWS_ENDPOINT_URL it uses the emulator that runs there, such as LocalStack,
# and with OPENSEARCH the server that runs there. Where functions reach them by
# other addresses, as in containers, ENDPOINT and SEARCH say which:
#
#   AWS_ENDPOINT_URL=http://127.0.0.1:4566 ENDPOINT=http://localhost.localstack.cloud:4566 \
#   OPENSEARCH=http://127.0.0.1:9200 SEARCH=opensearch+http://opensearch:9200 bash scripts/integration-deploy.sh
#
# What the emulator cannot show, and what is done about it:
#   streaming       it buffers; the environment says so, and template tests hold
#                   the others to STREAM
#   permissions     it does not enforce roles; what each function asks for is
#                   noted on the way, and judged by its role's policies
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

emulator="the emulator at ${AWS_ENDPOINT_URL:-}"
if [ -z "${AWS_ENDPOINT_URL:-}" ]; then
  start_ministack
  start_rights
  AWS_ENDPOINT_URL=$MINISTACK ENDPOINT=$RIGHTS emulator="MiniStack $MINISTACK_VERSION"
fi
MINISTACK=$AWS_ENDPOINT_URL
[ -n "${OPENSEARCH:-}" ] || start_opensearch
if [ -z "${SEARCH:-}" ]; then
  start_searchgate 10s 15s
  SEARCH="opensearch+$SEARCHGATE?service=aoss"
fi
export AWS_ENDPOINT_URL NODE_NO_WARNINGS=1 JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=1 CI=1

# cdk COMMAND… runs the CDK's command on the templates of $work/cdk.out.
cdk() { (cd "$work" && "$cli/node_modules/.bin/cdk" "$1" --app "$work/cdk.out" --all --progress events --no-notices "${@:2}") > "$work/$1" 2>&1 || { grep -E 'FAILED|❌|Error' "$work/$1" | tail -20; exit 1; }; }
# deploy [BUILD FLAGS] builds, writes the templates, and deploys them.
deploy() {
  go run ./scripts/build -out "$work/dist" -arch amd64 "$@" > "$work/build" || { cat "$work/build"; exit 1; }
  CDK_OUTDIR="$work/cdk.out" ENV=localstack SEARCH="$SEARCH" ENDPOINT="${ENDPOINT:-$AWS_ENDPOINT_URL}" DIST="$work/dist" "$work/infra" > "$work/synth" 2>&1 || { cat "$work/synth"; exit 1; }
  cdk deploy --require-approval never --outputs-file "$work/outputs.json"
}
output() { node -p 'Object.values(require(process.argv[1])).map(o => o[process.argv[2]]).find(v => v)' "$work/outputs.json" "$1"; }

echo "== deployment to $emulator by aws-cdk $CDK_VERSION"
(cd infra && go build -o "$work/infra" .)
curl -sf -X PUT "$MINISTACK/lectern-assets" > /dev/null
deploy
address=$(output Address)
echo "ok   $(grep -c CREATE_COMPLETE "$work/deploy") resources"

echo "== every function as Lambda runs it: no place to write but /tmp, no HOME, its memory, frozen between events"
go run ./scripts/functionhost -dist "$work/dist" -emulator "$MINISTACK" -environment localstack

echo "== a client of the deployment"
go run ./scripts/smoke -url "$address" || { [ ! -f "$work/ministack.log" ] || tail -40 "$work/ministack.log"; exit 1; }

# invoke FUNCTION EVENT calls a function as the cloud does.
invoke() {
  curl -sf -D "$work/head" -o "$work/answer" -X POST --data-binary "@$2" "$MINISTACK/2015-03-31/functions/lectern-localstack-$1/invocations" &&
    ! grep -qi '^x-amz-function-error' "$work/head" || { echo "$1 fails:"; cat "$work/answer"; [ ! -f "$work/ministack.log" ] || tail -20 "$work/ministack.log"; exit 1; }
}
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
freed() { curl -sf -X POST "$OPENSEARCH/$index/_refresh" > /dev/null; [ "$(curl -s -o /dev/null -w '%{http_code}' "$orphan")" = 404 ] && [ "$(count "$dead")" = 0 ]; }
for _ in $(seq 60); do freed && break; sleep 1; done # by a job, after the sweep
freed && [ "$(count "$others")" = "$kept" ] || { echo "after the sweep: $(count "$dead") dead chunks, $(count "$others") of $kept others"; exit 1; }
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
for group in models tokens embeddings; do replay $group '.*'; done
replay system 'system'
replay messages 'citations|complete|history|invalid|plain|servers|structured|thinking|tools|validate'
replay primitives 'invalid'
replay artifacts 'idempotency|invalid'
replay tools 'databases|tables'

# The sources with another version of the mapping, and callers who need keys.
echo "== an update with another version of the index's mapping, and with keys"
sed 's/^const mappingVersion = 1$/const mappingVersion = 2/' shared/knowledge/index/opensearchindex/mapping.go > "$work/mapping.go"
grep -q 'mappingVersion = 2' "$work/mapping.go"
echo '{"Replace":{"'"$PWD"'/shared/knowledge/index/opensearchindex/mapping.go":"'"$work"'/mapping.go"}}' > "$work/overlay.json"
AUTHENTICATE=yes deploy -overlay "$work/overlay.json"
curl -sf "$OPENSEARCH/_cat/indices/lectern*?h=index" | grep -q -- '-v2$' || { echo "the setup made no index of the new version"; exit 1; }
secret() { curl -sf "$MINISTACK/" -H 'X-Amz-Target: secretsmanager.GetSecretValue' -H 'Content-Type: application/x-amz-json-1.1' -H 'Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/secretsmanager/aws4_request, SignedHeaders=host, Signature=0' -d '{"SecretId":"'"$1"'"}' | node -p 'JSON.parse(JSON.parse(require("fs").readFileSync(0)).SecretString)[0].key'; }
key=$(secret "$(output Keys)")
status=$(curl -s -o "$work/answer" -w '%{http_code}' "$(output Address)/v1/models")
[ "$status" = 401 ] && [ -n "$key" ] || { echo "without a key: $status $(cat "$work/answer")"; exit 1; }
echo "ok   $(grep -c UPDATE_COMPLETE "$work/deploy") resources changed; the new index is there; without a key nobody is let in"
# Every function that answers reads the keys at its start; what it answers here does not matter.
address=$(output Address)
# status KEY PATH [ARGUMENTS] prints the status of an answer, which it keeps.
status() { curl -s -o "$work/answer" -w '%{http_code}' -H "x-api-key: $1" "${@:3}" "$address/$2"; }
member() { node -p 'JSON.parse(require("fs").readFileSync(0))[process.argv[1]]' "$1" < "$work/answer"; }
every() {
  for path in v1/embeddings "v1/files?scope_id=x" "v1/skills?collection=x" v1/messages/async/none/status v1/messages/count_tokens v1/tools/x mcp v1/models v1/complete \
    v1/artifacts/readers v1/citations/verify ready; do
    s=$(status "$1" "$path")
    [ "$s" != 401 ] && [ "$s" -lt 500 ] || { echo "with a key, $path: $s $(cat "$work/answer")"; exit 1; }
  done
}
every "$key"
echo "== a key that is made while all runs"
made=$(status "$key" v1/admin/keys -H 'content-type: application/json' -d '{"name": "tenant", "collections": ["tenant"], "requests_per_minute": 40}')
[ "$made" = 200 ] || { echo "making a key: $made $(cat "$work/answer")"; exit 1; }
tenant=$(member key) tenant_id=$(member id)
every "$tenant"
for list in keys tasks streams "usage?key_id=$tenant_id"; do
  [ "$(status "$key" "v1/admin/$list")" = 200 ] && [ "$(status "$tenant" "v1/admin/$list")" = 403 ] || { echo "v1/admin/$list: $(cat "$work/answer")"; exit 1; }
done
for _ in $(seq 60); do [ "$(status "$tenant" v1/models)" = 429 ] && break; done # requests of twelve functions, counted together
grep -q rate_limit_error "$work/answer" || { echo "no limit: $(cat "$work/answer")"; exit 1; }
[ "$(status "$key" "v1/admin/usage?key_id=$tenant_id")" = 200 ] && requests=$(node -p 'JSON.parse(require("fs").readFileSync(0)).data[0].requests' < "$work/answer")
[ "$requests" -ge 30 ] && [ "$requests" -le 80 ] || { echo "$requests requests are counted: $(cat "$work/answer")"; exit 1; }
[ "$(status "$key" "v1/admin/keys/$tenant_id" -X DELETE)" = 200 ]
sleep 21
for path in v1/models v1/embeddings mcp ready; do
  [ "$(status "$tenant" "$path")" = 401 ] || { echo "revoked 21 s ago, $path: $(cat "$work/answer")"; exit 1; }
done
echo "ok   it lets in at every function, is limited over all of them ($requests requests counted), and is known as revoked to warm ones within 21 s"
LECTERN_SMOKE_KEY=$key go run ./scripts/smoke -url "$(output Address)" -only "one error body,ingest and search,chat with citations,delete" || { [ ! -f "$work/ministack.log" ] || tail -40 "$work/ministack.log"; exit 1; }

echo "== hostile requests to the deployment"
go run ./scripts/chaos -url "$address" -key "$key" -most 8 > "$work/chaos" 2>&1 || { grep -v '^ok' "$work/chaos" | tail -30; exit 1; }
tail -1 "$work/chaos"

echo "== doctor"
(cd infra && ENV=staging go run ./doctor) > "$work/doctor" || true # the emulator lacks much
for line in "account 000000000000" "lack bootstrap .*bootstrap aws://000000000000/us-east-1" "gateway's log role .*lectern-account" "concurrent functions .*[0-9]" "model  *amazon.titan"; do
  grep -q -- "$line" "$work/doctor" || { echo "no line with $line:"; cat "$work/doctor"; exit 1; }
done
echo "ok   $(grep -c '^ok' "$work/doctor") of what it looks at is there, $(grep -c '^lack' "$work/doctor") is not"

echo "== the end"
# aws SERVICE TARGET MEMBER prints how many of a list there are.
listed() { curl -sf "$MINISTACK/" -H "X-Amz-Target: $2" -H 'Content-Type: application/x-amz-json-1.1' -H "Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/$1/aws4_request, SignedHeaders=host, Signature=0" -d '{}' | node -p 'const l = JSON.parse(require("fs").readFileSync(0))[process.argv[1]] || []; l.map(x => x.Name || x.name || x.logGroupName || x).filter(n => String(n).includes("lectern")).join(" ")' "$3"; }
evaluator="$LECTERN_TOOLS/ministack-$MINISTACK_VERSION/bin/python scripts/rights/evaluate.py"
[ ! -f "$work/rights.notes" ] || $evaluator policies "$MINISTACK" localstack > "$work/policies"
cdk destroy --force
left="$(listed dynamodb DynamoDB_20120810.ListTables TableNames)$(listed ssm AmazonSSM.DescribeParameters Parameters)$(listed secretsmanager secretsmanager.ListSecrets SecretList)$(listed states AWSStepFunctions.ListStateMachines stateMachines)$(listed logs Logs_20140328.DescribeLogGroups logGroups)"
buckets=$(curl -sf "$MINISTACK/" -H 'Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0' | grep -o '<Name>[^<]*' | sed 's/<Name>//' | grep -v '^lectern-assets$' || true)
functions=$(curl -sf "$MINISTACK/2015-03-31/functions/" | node -p 'JSON.parse(require("fs").readFileSync(0)).Functions.map(f => f.FunctionName).join(" ")')
[ -z "$left$buckets$functions" ] || { echo "left: $left $buckets $functions"; exit 1; }
echo "ok   no table, bucket, function, state machine, log, parameter or secret is left"
if [ -f "$work/searchgate.notes" ] && grep refused "$work/searchgate.notes" | grep -v 'the request is not signed' | head -5 | grep .; then exit 1; fi

if [ -f "$work/rights.notes" ]; then
  echo "== rights of the functions, by their roles' policies"
  $evaluator judge "$work/policies" "$work/rights.notes"
fi
