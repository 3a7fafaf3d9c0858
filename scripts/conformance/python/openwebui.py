"""Uses Open WebUI at WEBUI as a person would whose chat program knows the service by its
address alone: sign up, list models, chat; then with a collection. Exit 1 when a check fails."""

import json
import os
import urllib.request

WEBUI, BASE = os.environ["WEBUI"], os.environ["BASE_URL"]
FACT = "Every employee has 28 days of paid leave a year."
QUESTION = [{"role": "user", "content": "How many days of paid leave are there?"}]


def send(url, body=None, token=""):
    headers = {"Content-Type": "application/json", **({"Authorization": "Bearer " + token} if token else {})}
    request = urllib.request.Request(url, data=None if body is None else json.dumps(body).encode(), headers=headers)
    return urllib.request.urlopen(request).read().decode()


send(BASE + "/v1/artifacts/ingest", {"artifact": "leave", "collection": "handbook", "input": {"type": "text", "value": "# Leave\n\n" + FACT}})
version = json.loads(send(WEBUI + "/api/config"))["version"]
signed = json.loads(send(WEBUI + "/api/v1/auths/signup", {"name": "Ann", "email": "ann@example.com", "password": "a-Password-1"}))
token = signed["token"]
models = lambda: [m["id"] for m in json.loads(send(WEBUI + "/api/models", token=token))["data"]]
assert {"extractive", "scripted"} <= set(models()), models()

chat = {"model": "scripted", "messages": [{"role": "user", "content": "Hello"}], "stream": False}
said = json.loads(send(WEBUI + "/api/chat/completions", chat, token))
assert said["choices"][0]["message"]["content"] == "Hello from the scripted model.", said
frames = send(WEBUI + "/api/chat/completions", {**chat, "stream": True}, token).split("\n\n")
chunks = [json.loads(f[6:]) for f in frames if f.startswith("data: {")]
text = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks if c.get("choices"))
assert text == "Hello from the scripted model." and len(chunks) > 4 and "data: [DONE]" in frames, frames

# What the page of its connections sends once the names of models are typed in.
send(WEBUI + "/openai/config/update", {"ENABLE_OPENAI_API": True, "OPENAI_API_BASE_URLS": [BASE + "/v1"], "OPENAI_API_KEYS": ["none"],
                                       "OPENAI_API_CONFIGS": {"0": {"enable": True, "model_ids": ["default@handbook"]}}}, token)
assert models() == ["default@handbook"], models()
said = json.loads(send(WEBUI + "/api/chat/completions", {"model": "default@handbook", "messages": QUESTION, "stream": False}, token))
message = said["choices"][0]["message"]
assert FACT in message["content"] and "/v1/artifacts/original?" in message["annotations"][0]["url_citation"]["url"], said
print("ok   Open WebUI", version + ": sign up, models, chat, stream; a collection as a model, cited")
