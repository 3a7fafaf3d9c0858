"""Runs the examples of README.md as they stand there against the service at BASE_URL, which
takes the place of their address; the Go example inside of a main function. Needs the path
of a Python with the SDK, and the directories of the TypeScript and Go modules."""

import json
import os
import re
import subprocess
import sys
import tempfile

BASE = os.environ["BASE_URL"].removeprefix("http://")
python, typescript, go = sys.argv[1:]
FACT = "Every employee has 28 days of paid leave a year."
text = open("README.md", encoding="utf-8").read()
blocks = {}
for language, code in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
    blocks.setdefault(language, []).append(code.replace("127.0.0.1:8080", BASE))
assert {k: len(v) for k, v in blocks.items()} == {"mermaid": 1, "sh": 1, "json": 1, "python": 1, "ts": 1, "go": 1}, blocks.keys()


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def within(small, large):
    if isinstance(small, dict):
        return all(k in large and within(v, large[k]) for k, v in small.items())
    if isinstance(small, list):
        return len(small) == len(large) and all(map(within, small, large))
    return small == large


answer = json.loads(run(["bash", "-euo", "pipefail", "-c", blocks["sh"][0]]))
shown = json.loads(blocks["json"][0])
assert any(within(shown, block) for block in answer["content"]), answer
print("ok   curl, with the answer that is shown")
assert run([python, "-c", blocks["python"][0]]).strip() == FACT
print("ok   Python")
with tempfile.NamedTemporaryFile("w", suffix=".mjs", dir=typescript) as f:
    f.write(blocks["ts"][0])
    f.flush()
    said = run(["node", f.name])
    assert said.startswith(FACT) and "url_citation" in said, said
print("ok   TypeScript")
with tempfile.TemporaryDirectory(dir=go) as d:
    body = "\n".join("\t" + line for line in blocks["go"][0].splitlines())
    with open(d + "/main.go", "w", encoding="utf-8") as f:
        f.write('package main\n\nimport (\n\t"context"\n\t"fmt"\n\n\t"github.com/anthropics/anthropic-sdk-go/v2"\n'
                '\t"github.com/anthropics/anthropic-sdk-go/v2/option"\n)\n\nfunc main() {\n\tctx := context.Background()\n' + body +
                "\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tfmt.Println(message.Content[0].Text)\n}\n")
    assert "Hello. Ask me something about your documents" in run(["go", "run", "./" + os.path.basename(d)], cwd=go)
print("ok   Go")
