#!/usr/bin/env bash
# Holds the templates of every environment to CloudFormation's schemas, by
# cfn-lint: neither an error nor a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LECTERN_TOOLS=${LECTERN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/lectern-tools}
CFN_LINT_VERSION=1.58.0
venv="$LECTERN_TOOLS/cfn-lint-$CFN_LINT_VERSION"
[ -x "$venv/bin/cfn-lint" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check "cfn-lint==$CFN_LINT_VERSION"; }
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=1 ALARM_MAIL=alarms@example.com

(cd infra && go build -o "$work/infra" .)
mkdir "$work/dist"
for main in functions/*/*/main.go; do # what the zips hold is in no template
  name=$(echo "$main" | sed -E 's|functions/([^/]*)/([^/]*)/main.go|\1-\2|; s|-lambda$||')
  echo "$name" > "$work/dist/$name.zip"
done
environments=$(sed -nE 's|^\t*Name: "([a-z]+)",.*|\1|p; s|^\t*\{Name: "([a-z]+)",.*|\1|p' infra/environment/environment.go | sort -u)
for e in $environments; do
  ACCOUNT=$([ "$e" = localstack ] && echo 000000000000 || echo 123456789012) ENV=$e DIST="$work/dist" CDK_OUTDIR="$work/$e" "$work/infra" > "$work/synth" 2>&1 || { cat "$work/synth"; exit 1; }
done
"$venv/bin/cfn-lint" -r us-east-1 -t "$work"/*/*.template.json
echo "ok   cfn-lint $CFN_LINT_VERSION: $(ls "$work"/*/*.template.json | wc -l) templates of $(echo $environments)"
