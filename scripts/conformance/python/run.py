"""Runs the official Python SDK, unchanged, against the service at BASE_URL and prints
one line per check. Exit 1 when one fails. SECURED is a service that asks for keys."""

import asyncio
import http.server
import inspect
import os
import sys
import threading
import time
import traceback
import uuid

import anthropic
from pydantic import BaseModel

BASE, SECURED = os.environ["BASE_URL"], os.environ["SECURED"]
MODEL = "default"
TEXT = (
    "Cats sleep fourteen hours a day. They were first tamed in the Near East around 7500 BC. "
    "A group of cats is called a clowder."
)
CATS = {
    "type": "document",
    "title": "Cats",
    "source": {"type": "text", "media_type": "text/plain", "data": TEXT},
    "citations": {"enabled": True},
}
WEATHER = {
    "name": "get_weather",
    "description": "Weather of a place",
    "input_schema": {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]},
}
client = anthropic.Anthropic(base_url=BASE, api_key="none-000000", max_retries=0)


def ask(content, **more):
    return {"model": MODEL, "max_tokens": 400, "messages": [{"role": "user", "content": content}], **more}


def text_of(message):
    return "".join(b.text for b in message.content if b.type == "text")


def part(name):
    """The resource of a name, which some generations keep under beta."""
    return getattr(client, name, None) or getattr(client.beta, name)


def create():
    m = client.messages.create(**ask("Hello"))
    assert m.type == "message" and m.role == "assistant" and m.stop_reason == "end_turn", m
    assert m.usage.input_tokens > 0 and m.usage.output_tokens > 0 and m.stop_details is None, m
    assert m._request_id.startswith("req_"), m._request_id


def raw_response():
    r = client.messages.with_raw_response.create(**ask("Hello"))
    assert r.headers["request-id"].startswith("req_") and text_of(r.parse())


def stream_events():
    kinds = [e.type for e in client.messages.create(**ask("Hello"), stream=True)]
    assert kinds[0] == "message_start" and kinds[-1] == "message_stop", kinds


def stream_helper():
    with client.messages.stream(**ask([CATS, {"type": "text", "text": "What is a group of cats called?"}])) as s:
        words = list(s.text_stream)
        m = s.get_final_message()
    assert "".join(words) == text_of(m) and len(words) > 3, words
    assert any(b.citations for b in m.content), m


def citations():
    m = client.messages.create(**ask([CATS, {"type": "text", "text": "When were cats first tamed?"}]))
    cited = [c for b in m.content for c in b.citations or []]
    assert cited and all(c.type == "char_location" for c in cited), m
    assert all(TEXT[c.start_char_index : c.end_char_index] == c.cited_text for c in cited), cited
    m = client.messages.create(
        **ask(
            [
                {
                    "type": "search_result",
                    "source": "https://example.org",
                    "title": "Cats",
                    "content": [{"type": "text", "text": TEXT}],
                    "citations": {"enabled": True},
                },
                {"type": "text", "text": "How long do cats sleep?"},
            ]
        )
    )
    assert any(c.type == "search_result_location" for b in m.content for c in b.citations or []), m


def tools():
    m = client.messages.create(**ask("What is the weather in Paris?", tools=[WEATHER], tool_choice={"type": "tool", "name": "get_weather"}))
    use = m.content[0]
    assert m.stop_reason == "tool_use" and use.input == {"location": "Paris"} and use.id.startswith("toolu_"), m
    again = client.messages.create(
        model=MODEL,
        max_tokens=400,
        tools=[WEATHER],
        messages=[
            {"role": "user", "content": "What is the weather in Paris?"},
            {"role": "assistant", "content": m.content},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "The weather in Paris is sunny."}]},
        ],
    )
    assert "sunny" in text_of(again), again


def tools_streamed():
    with client.messages.stream(**ask("What is the weather in Paris?", tools=[WEATHER], tool_choice={"type": "any"})) as s:
        m = s.get_final_message()
    assert [b.input for b in m.content if b.type == "tool_use"] == [{"location": "Paris"}], m


def tools_of_a_provider():
    with client.messages.stream(**{**ask("two tools", tools=[WEATHER]), "model": "scripted"}) as s:
        m = s.get_final_message()
    uses = [b for b in m.content if b.type == "tool_use"]
    assert [u.input for u in uses] == [{"location": "Paris"}, {"location": "Rome"}] and len({u.id for u in uses}) == 2, m


def tool_runner():
    asked = []

    @anthropic.beta_tool
    def get_weather(location: str) -> str:
        """Weather of a place

        Args:
            location: The place.
        """
        asked.append(location)
        return f"{location} is sunny."

    runner = client.beta.messages.tool_runner(**{**ask("two tools", tools=[get_weather]), "model": "scripted"})
    m = runner.until_done()
    assert sorted(asked) == ["Paris", "Rome"] and "Paris is sunny." in text_of(m), (asked, m)


class Animal(BaseModel):
    name: str
    count: int


def parse():
    m = client.messages.parse(**ask("There are 14 cats named Tom."), output_format=Animal)
    assert isinstance(m.parsed_output, Animal), m


def thinking():
    m = client.messages.create(**{**ask("Hello", thinking={"type": "enabled", "budget_tokens": 1024}), "max_tokens": 4000})
    assert m.content[0].type == "thinking" and m.content[0].signature and m.content[-1].type == "text", m
    again = client.messages.create(
        model=MODEL,
        max_tokens=4000,
        thinking={"type": "enabled", "budget_tokens": 1024},
        messages=[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": m.content}, {"role": "user", "content": "And?"}],
    )
    assert again.stop_reason == "end_turn", again


def server_tools():
    m = client.messages.create(
        **ask("What is a group of cats called?", tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 1}])
    )
    kinds = [b.type for b in m.content]
    at = kinds.index("server_tool_use")
    assert kinds[at + 1] == "web_search_tool_result", m
    again = client.messages.create(
        model=MODEL,
        max_tokens=400,
        tools=[{"type": "web_search_20250305", "name": "web_search"}],
        messages=[{"role": "user", "content": "Cats?"}, {"role": "assistant", "content": m.content}, {"role": "user", "content": "And?"}],
    )
    assert again.content, again


def knowledge_tool():
    client.post(
        "/v1/artifacts/ingest",
        cast_to=object,
        body={"artifact": "cats", "collection": "pets", "input": {"type": "text", "value": TEXT}},
    )
    kb = {"type": "ingested_artifact", "context_filter": {"collection": "pets"}}
    m = client.messages.create(
        **ask(
            "What is a group of cats called?",
            tools=[{"type": "semantic_search_v1", "name": "kb", "context": [kb]}],
            system=[{"type": "text", "text": "Cite.", "citations": {"enabled": True}}],
        )
    )
    assert "clowder" in text_of(m) and any(getattr(b, "citations", None) for b in m.content), m


def mcp():
    m = client.beta.messages.create(
        **ask(
            "What is a group of cats called?",
            mcp_servers=[{"type": "url", "name": "own", "url": BASE + "/mcp"}],
            tools=[{"type": "mcp_toolset", "mcp_server_name": "own"}],
            tool_choice={"type": "tool", "name": "list_collections"},
            betas=["mcp-client-2025-11-20"],
        )
    )
    kinds = [b.type for b in m.content]
    assert "mcp_tool_use" in kinds and "mcp_tool_result" in kinds, m


def counts():
    n = client.messages.count_tokens(model=MODEL, messages=[{"role": "user", "content": "Hello there"}], tools=[WEATHER]).input_tokens
    assert n > client.messages.count_tokens(model=MODEL, messages=[{"role": "user", "content": "Hello there"}]).input_tokens > 0


def models():
    found = list(client.models.list(limit=1))  # all pages
    assert len(found) > 1 and "extractive" in [m.id for m in found], found
    assert client.models.retrieve("extractive").type == "model"


def files():
    f = part("files")
    up = f.upload(file=("note.txt", b"The code word is heron.", "text/plain"))
    assert up.filename == "note.txt" and up.size_bytes == 23, up
    assert up.id in [x.id for x in f.list()]
    assert f.download(up.id).read() == b"The code word is heron."
    assert f.retrieve_metadata(up.id).mime_type == "text/plain"
    assert f.delete(up.id).id == up.id


def skills():
    s = part("skills")
    body = b"---\nname: make-tea\ndescription: How to make tea\n---\nBoil water.\n"
    title = "display_title" if "display_title" in inspect.signature(s.create).parameters else "display_name"
    made = s.create(**{title: "Tea " + uuid.uuid4().hex}, files=[("make-tea/SKILL.md", body, "text/markdown")])
    assert made.id in [x.id for x in s.list()] and s.retrieve(made.id).id == made.id
    version = s.versions.list(made.id).data[0]
    assert version.name == "make-tea" and version.directory == "make-tea", version
    s.versions.delete(version.version, skill_id=made.id)
    assert s.delete(made.id).id == made.id


def async_messages():
    started = client.post("/v1/messages/async", cast_to=object, body=ask("Hello"))
    place = f"/v1/messages/async/{started['message_id']}"
    for _ in range(100):
        if client.get(place + "/status", cast_to=object)["status"] == "completed":
            break
        time.sleep(0.05)
    assert client.post(place + "/cancel", cast_to=object, body={})["status"] == "completed"


def async_client():
    async def run():
        async with anthropic.AsyncAnthropic(base_url=BASE, api_key="none-000000") as c:
            m = await c.messages.create(**ask("Hello"))
            async with c.messages.stream(**ask("Hello")) as s:
                words = [w async for w in s.text_stream]
            assert text_of(m) == "".join(words), (m, words)
            several = await asyncio.gather(*[c.messages.create(**ask(f"Hello {i}")) for i in range(8)])
            assert all(x.stop_reason == "end_turn" for x in several)

    asyncio.run(run())


def fails(kind, call, status=None):
    try:
        call()
    except kind as e:
        if status is not None:
            assert e.status_code == status and e.body["type"] == "error" and e.request_id.startswith("req_"), (e.status_code, e.body)
        return e
    raise AssertionError(f"no {kind.__name__}")


def scripted(said):
    return lambda: client.messages.create(**{**ask(said), "model": "scripted"})


def error_bad_request():
    fails(anthropic.BadRequestError, lambda: client.messages.create(**ask("Hello"), extra_body={"thread": {"id": "t"}}), 400)


def error_authentication():
    other = anthropic.Anthropic(base_url=SECURED, api_key="wrong-000000", max_retries=0)
    fails(anthropic.AuthenticationError, lambda: other.messages.create(**ask("Hello")), 401)


def error_permission():
    image = {"type": "image", "source": {"type": "url", "url": "http://10.1.2.3/a.png"}}
    e = fails(anthropic.PermissionDeniedError, lambda: client.messages.create(**{**ask([image]), "model": "scripted"}), 403)
    assert "10.1.2.3" in e.message, e


def error_not_found():
    fails(anthropic.NotFoundError, lambda: client.messages.create(**{**ask("Hello"), "model": "none"}), 404)


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(2)
        self.send_response(200)
        self.send_header("content-type", "text/plain")
        self.end_headers()
        self.wfile.write(b"Slow.")

    def log_message(self, *args):
        pass


def error_conflict():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    body = {"artifact": "slow", "collection": "pets", "input": {"type": "uri", "value": f"http://127.0.0.1:{server.server_port}/a.txt"}}

    def ingest():
        options = {"headers": {"Idempotency-Key": "k" + os.path.basename(sys.prefix)}}
        return client.post("/v1/artifacts/ingest", cast_to=object, body=body, options=options)

    first = threading.Thread(target=ingest)
    first.start()
    time.sleep(0.7)
    fails(anthropic.ConflictError, ingest, 409)
    first.join()
    server.shutdown()


def error_too_large():
    fails(anthropic.APIStatusError, lambda: client.post("/v1/embeddings", cast_to=object, body={"input": "x" * (5 << 20)}), 413)


def error_unprocessable():
    e = fails(anthropic.UnprocessableEntityError, lambda: client.messages.create(**ask("Hello"), extra_body={"temperature": 7}), 422)
    assert e.body["detail"][0]["loc"] == ["body", "temperature"], e.body


def error_rate_limit():
    fails(anthropic.RateLimitError, scripted("status 429"), 429)


def error_server():
    fails(anthropic.InternalServerError, scripted("status 500"), 502)


def error_overloaded():
    fails(anthropic.APIStatusError, scripted("status 529"), 529)


def error_not_supported():
    e = fails(anthropic.APIStatusError, lambda: client.messages.create(**ask("x", tools=[{"type": "code_execution_20250825", "name": "code_execution"}])), 501)
    assert "sandbox" in e.message, e


def error_connection():
    other = anthropic.Anthropic(base_url="http://127.0.0.1:9", api_key="none-000000", max_retries=0)
    fails(anthropic.APIConnectionError, lambda: other.messages.create(**ask("Hello")))


def error_timeout():
    fails(anthropic.APITimeoutError, lambda: client.with_options(timeout=0.3).messages.create(**{**ask("forever"), "model": "scripted"}))


CHECKS = [
    create, raw_response, stream_events, stream_helper, citations, tools, tools_streamed, tools_of_a_provider, tool_runner, parse,
    thinking, server_tools, knowledge_tool, mcp, counts, models, files, skills, async_messages, async_client, error_bad_request,
    error_authentication, error_permission, error_not_found, error_conflict, error_too_large, error_unprocessable, error_rate_limit,
    error_server, error_overloaded, error_not_supported, error_connection, error_timeout,
]  # fmt: skip

failed = 0
for check in CHECKS:
    name = f"{anthropic.__version__} {check.__name__.replace('_', ' ')}"
    try:
        check()
        print("ok  ", name)
    except Exception:
        failed += 1
        print("FAIL", name)
        traceback.print_exc(file=sys.stdout)
sys.exit(1 if failed else 0)
