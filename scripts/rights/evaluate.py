"""Judges noted calls by the policies of the functions' roles.

    python evaluate.py EMULATOR NOTES ENVIRONMENT

The evaluator is MiniStack's, whose policies' semantics are AWS's. No call may be
denied, and each statement that a call could use must be used by one, but for
those that the emulator never asks about.
"""

import json
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ET

from ministack.core.iam_evaluator import EvalContext, evaluate, parse_policy_document

ACCOUNT, REGION = "000000000000", "us-east-1"
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
    """Statements by function."""
    found = {}
    with urllib.request.urlopen(emulator + "/2015-03-31/functions/") as answer:
        functions = json.load(answer)["Functions"]
    for function in functions:
        role = function["Role"].rsplit("/", 1)[-1]
        name = function["FunctionName"].removeprefix(f"lectern-{environment}-")
        for policy in texts(ask(emulator, Action="ListRolePolicies", RoleName=role), "member"):
            document = texts(ask(emulator, Action="GetRolePolicy", RoleName=role, PolicyName=policy), "PolicyDocument")[0]
            found.setdefault(name, []).extend(parse_policy_document(json.loads(urllib.parse.unquote(document))))
    return found


def main(emulator, notes, environment):
    statements, used, bad = policies(emulator, environment), set(), []
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
        used.update((function, i, c["action"]) for i in allowing)
    for function, list_ in sorted(statements.items()):
        for i, s in enumerate(list_):
            asked = [a for a in s.actions if not a.startswith(NEVER)]
            if asked and not any((function, i, a) in used for a in asked):
                bad.append(f"{function} uses none of {' '.join(asked)} on {' '.join(s.resources)} {s.conditions or ''}")
    for line in sorted(set(bad)):
        print("  " + line)
    print(f"{'FAIL' if bad else 'ok  '} {len(calls)} calls of {len({c['function'] for c in calls})} functions, judged by "
          f"{sum(map(len, statements.values()))} statements")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
