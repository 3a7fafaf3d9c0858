"""Runs the official OpenAI SDK, unchanged, against the service at BASE_URL and prints one
line per check. Exit 1 when one fails."""

import asyncio
import json
import os
import sys
import traceback
import urllib.request
import uuid

import openai
from pydantic import BaseModel

BASE = os.environ["BASE_URL"]
client = openai.OpenAI(base_url=BASE + "/v1", api_key="none-000000", max_retries=0)
COLLECTION = "handbook-" + uuid.uuid4().hex[:8]
MODEL = "default@" + COLLECTION
QUESTION = [{"role": "user", "content": "How many days of paid leave are there?"}]
ANSWER = "Every employee has 28 days of paid leave a year."
WEATHER = {"name": "get_weather", "parameters": {"type": "object", "properties": {"location": {"type": "string"}}}}
PNG = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Leave(BaseModel):
    days: str


def ingest():
    body = {"artifact": "leave", "collection": COLLECTION, "input": {"type": "text", "value": "# Leave\n\n" + ANSWER}}
    request = urllib.request.Request(BASE + "/v1/artifacts/ingest", data=json.dumps(body).encode())
    assert urllib.request.urlopen(request).status == 200


def models():
    assert "extractive" in [m.id for m in client.models.list()]
    assert client.models.retrieve(MODEL).id == MODEL
    listed = client.models.list(extra_query={"collections": "true"})
    assert MODEL in [m.id for m in listed], listed


def chat():
    done = client.chat.completions.create(model=MODEL, messages=QUESTION)
    message = done.choices[0].message
    assert ANSWER in message.content and done.choices[0].finish_reason == "stop" and done.usage.total_tokens > 0, done
    note = message.annotations[0].url_citation
    assert message.content[note.start_index : note.end_index] == ANSWER and "/v1/artifacts/original?" in note.url, note
    assert urllib.request.urlopen(note.url).read().decode().endswith(ANSWER)


def chat_streamed():
    options = {"include_usage": True}
    chunks = list(client.chat.completions.create(model=MODEL, messages=QUESTION, stream=True, stream_options=options))
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert ANSWER in text and chunks[-1].usage.completion_tokens > 0, chunks
    with client.chat.completions.stream(model=MODEL, messages=QUESTION) as stream:
        for _ in stream:
            pass
        assert ANSWER in stream.get_final_completion().choices[0].message.content


def chat_tools():
    call = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"location": "Paris"}'}}
    turns = [
        {"role": "user", "content": "What is the weather in Paris?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "The weather in Paris is sunny."},
    ]
    done = client.chat.completions.create(model="default", messages=turns, tools=[{"type": "function", "function": WEATHER}])
    assert "sunny" in done.choices[0].message.content, done


def chat_schema():
    done = client.chat.completions.parse(model="default", messages=[{"role": "user", "content": ANSWER}], response_format=Leave)
    assert isinstance(done.choices[0].message.parsed, Leave), done


def responses():
    done = client.responses.create(model="default", input=QUESTION, tools=[{"type": "file_search", "vector_store_ids": [COLLECTION]}])
    assert ANSWER in done.output_text and done.status == "completed", done
    note = done.output[0].content[0].annotations[0]
    assert done.output_text[note.start_index : note.end_index] == ANSWER, note
    with client.responses.stream(model=MODEL, input=QUESTION) as stream:
        kinds = [e.type for e in stream]
        assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
        assert ANSWER in stream.get_final_response().output_text
    assert isinstance(client.responses.parse(model="default", input=ANSWER, text_format=Leave).output_parsed, Leave)


def fails(kind, param, f):
    try:
        f()
    except kind as e:
        assert e.param == param, (e.param, e)
        return
    raise AssertionError("no error")


def errors():
    create = client.chat.completions.create
    fails(openai.NotFoundError, None, lambda: create(model="gpt-absent", messages=QUESTION))
    fails(openai.NotFoundError, None, lambda: create(model="default@absent", messages=QUESTION))
    fails(openai.BadRequestError, "n", lambda: create(model="default", messages=QUESTION, n=2))
    fails(openai.BadRequestError, "messages", lambda: create(model="default", messages=[]))
    fails(openai.BadRequestError, "previous_response_id",
          lambda: client.responses.create(model="default", input="x", previous_response_id="resp_1"))


def abort():
    stream = client.chat.completions.create(model=MODEL, messages=QUESTION, stream=True)
    next(iter(stream))
    stream.close()
    assert client.chat.completions.create(model=MODEL, messages=QUESTION).choices


def images():
    look = lambda model, text, image: client.chat.completions.create(model=model, messages=[{"role": "user", "content": [
        {"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": image}}]}])
    assert look("scripted", "What is in the picture?", PNG).choices[0].message.content == "I see it."
    fails(openai.BadRequestError, "messages[0].content", lambda: look("default", "What is in the picture?", PNG))
    seen = client.responses.create(model="scripted", input=[{"role": "user", "content": [
        {"type": "input_text", "text": "What is in the picture?"}, {"type": "input_image", "image_url": PNG, "detail": "auto"}]}])
    assert seen.output_text == "I see it.", seen


def responses_tools():
    tools = [{"type": "function", **WEATHER}]
    turns = [{"role": "user", "content": "two tools"}]
    first = client.responses.create(model="scripted", input=turns, tools=tools)
    calls = [o for o in first.output if o.type == "function_call"]
    assert [json.loads(c.arguments) for c in calls] == [{"location": "Paris"}, {"location": "Rome"}], first
    turns += first.output + [{"type": "function_call_output", "call_id": c.call_id, "output": "sunny"} for c in calls]
    said = client.responses.create(model="scripted", input=turns, tools=tools)
    assert said.output_text == "The tools say: sunny and sunny", said


async def concurrently():
    async with openai.AsyncOpenAI(base_url=BASE + "/v1", api_key="none-000000", max_retries=0) as many:
        answers = await asyncio.gather(*[many.chat.completions.create(model=MODEL, messages=QUESTION) for _ in range(8)])
        assert all(ANSWER in one.choices[0].message.content for one in answers)
        stream = await many.chat.completions.create(model="scripted", messages=[{"role": "user", "content": "forever"}], stream=True)
        async for _ in stream:
            break
        await stream.close()


def asynchronous():
    asyncio.run(concurrently())


failed = 0
for check in [ingest, models, chat, chat_streamed, chat_tools, chat_schema, responses, errors, abort, images, responses_tools, asynchronous]:
    try:
        check()
        print("ok   " + check.__name__)
    except Exception:
        failed += 1
        print("FAIL " + check.__name__)
        traceback.print_exc()
sys.exit(failed > 0)
