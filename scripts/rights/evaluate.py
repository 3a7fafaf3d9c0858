"""Judges noted calls by the policies of the functions' roles.

    python evaluate.py policies EMULATOR ENVIRONMENT > POLICIES
    python evaluate.py judge POLICIES NOTES

The evaluator is MiniStack's, whose policies' semantics are AWS's. No call may be
denied, and each statement that a call could use must be used by one, but for
those that the emulator never asks about and those that RARE explains.
"""

import json
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ET

from ministack.core.iam_evaluator import EvalContext, evaluate, parse_policy_document

ACCOUNT, REGION = "000000000000", "us-east-1"
# Rights that no client here needs, by function and action, and who does.
RARE = {
    ("*", "s3:ListBucket"): "asked of S3 by itself, when an object is missing",
    ("files-worker", "sqs:SendMessage"): "Lambda sends what the function failed to process",
    ("messages-worker", "sqs:SendMessage"): "a job that is delivered before its time",
    ("streams", "sqs:SendMessage"): "a message whose job was lost",
    ("system-sweep", "sqs:SendMessage"): "a message whose job was lost",
    ("messages-worker", "lambda:InvokeFunction"): "as messages, whose row it has",
    ("tools", "lambda:InvokeFunction"): "a page that is a PDF, behind an address that tests cannot reach",
    ("tokens", "lambda:InvokeFunction"): "tool servers, behind addresses that tests cannot reach",
    ("tokens", "s3:PutObject"): "a request or an answer over 6 MB between functions",
    ("messages", "s3:DeleteObject"): "a request or an answer over 6 MB between functions",
    ("artifacts", "s3:DeleteObject"): "a request or an answer over 6 MB between functions",
    ("tools", "s3:PutObject"): "a request or an answer over 6 MB between functions",
    ("messages", "s3:GetObject"): "a document in full, a skill that is loaded, an answer over 6 MB",
    ("skills", "s3:GetObject"): "an archive, which a sweep and chats read by the same rows",
    ("files-worker", "s3:DeleteObject"): "an upload that is not what was signed",
    ("mcp", "dynamodb:GetItem"): "tools that a client of MCP calls",
    ("mcp", "s3:GetObject"): "tools that a client of MCP calls",
    ("tokens", "dynamodb:GetItem"): "a system prompt with skills or documents",
    ("tokens", "s3:GetObject"): "a system prompt with skills or documents",
    ("primitives", "s3:GetObject"): "what is shown of a document beside its chunks",
    ("streams", "s3:DeleteObject"): "a message that is deleted before it ran",
    ("streams", "s3:GetObject"): "a message whose job was lost",
}
# What functions do not ask the emulator for: it writes their logs and traces
# itself, polls queues itself, and has no models.
NEVER = ("logs:", "xray:", "bedrock:", "sqs:ReceiveMessage", "sqs:GetQueueAttributes", "sqs:DeleteMessage")


def ask(emulator, **parameters):
    request = urllib.request.Request(emulator + "/", urllib.parse.urlencode({**parameters, "Version": "2010-05-08"}).encode(), {
        "Authorization": f"AWS4-HMAC-SHA256 Credential=test/20260101/{REGION}/iam/aws4_request, SignedHeaders=host, Signature=0"})
    return ET.fromstring(urllib.request.urlopen(request).read())


def texts(tree, name):
    return [e.text for e in tree.iter() if e.tag.rsplit("}", 1)[-1] == name]


def policies(emulator, environment):
    """Policies by function."""
    found = {}
    with urllib.request.urlopen(emulator + "/2015-03-31/functions/") as answer:
        functions = json.load(answer)["Functions"]
    for function in functions:
        role = function["Role"].rsplit("/", 1)[-1]
        name = function["FunctionName"].removeprefix(f"lectern-{environment}-")
        for policy in texts(ask(emulator, Action="ListRolePolicies", RoleName=role), "member"):
            document = texts(ask(emulator, Action="GetRolePolicy", RoleName=role, PolicyName=policy), "PolicyDocument")[0]
            found.setdefault(name, []).append(json.loads(urllib.parse.unquote(document)))
    return found


def judge(policies_file, notes):
    statements = {name: [s for d in documents for s in parse_policy_document(d)] for name, documents in json.load(open(policies_file)).items()}
    used, bad = set(), []
    calls = [json.loads(line) for line in open(notes)]
    for c in calls:
        function = c["function"]
        if c.get("unknown") or function not in statements:
            bad.append(f"nobody has described {c}")
            continue
        context = EvalContext(
            principal_arn=f"arn:aws:sts::{ACCOUNT}:assumed-role/{function}/x", principal_type="AssumedRole", principal_account=ACCOUNT,
            action=c["action"], resource_arn=c["resource"], region=REGION, service_context=c.get("context") or {})
        allowing = [i for i, s in enumerate(statements[function]) if evaluate(context, [[s]]).decision == "Allow"]
        if not allowing:
            bad.append(f"{function} may not {c['action']} on {c['resource']} {c.get('context') or ''}")
        used.update((function, i) for i in allowing)
    for function, list_ in sorted(statements.items()):
        for i, s in enumerate(list_):
            asked = [a for a in s.actions if not a.startswith(NEVER) and ("*", a) not in RARE]
            if asked and (function, i) not in used and not any((function, a) in RARE for a in asked):
                bad.append(f"{function} uses none of {' '.join(asked)} on {' '.join(s.resources)} {s.conditions or ''}")
    for line in sorted(set(bad)):
        print("  " + line)
    print(f"{'FAIL' if bad else 'ok  '} {len(calls)} calls of {len({c['function'] for c in calls})} functions, judged by "
          f"{sum(map(len, statements.values()))} statements, of which {len(used)} allowed some")
    return bool(bad)


if __name__ == "__main__":
    if sys.argv[1] == "policies":
        json.dump(policies(*sys.argv[2:]), sys.stdout)
    else:
        sys.exit(judge(*sys.argv[2:]))
