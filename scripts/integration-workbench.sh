#!/usr/bin/env bash
# Checks that the committed files of the page are what its sources build, then drives the
# page with Debian's Chromium. With CHROMIUM= another browser's path can be given.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "== the page: $(node --version), vite 8.3.8, typescript 7.0.2"
(cd functions/system/workbench && npm ci --no-audit --no-fund --silent && npm run --silent check)
