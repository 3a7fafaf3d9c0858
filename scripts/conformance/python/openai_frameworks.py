"""Runs langchain-openai and LlamaIndex, unchanged, against the service at BASE_URL, over
both of OpenAI's wires. Exit 1 when a check fails."""

import asyncio
import json
import os
import urllib.request
import uuid
from importlib.metadata import version

import openai
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike, OpenAILikeResponses
from pydantic import BaseModel

BASE = os.environ["BASE_URL"] + "/v1"
FACT = "Every employee has 28 days of paid leave a year."
QUESTION = "How many days of paid leave are there?"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
COLLECTION = "frameworks-" + uuid.uuid4().hex[:8]
MODEL = "default@" + COLLECTION
loop = asyncio.new_event_loop()  # one, because clients are kept with theirs

body = {"artifact": "leave", "collection": COLLECTION, "input": {"type": "text", "value": "# Leave\n\n" + FACT}}
assert urllib.request.urlopen(BASE + "/artifacts/ingest", data=json.dumps(body).encode()).status == 200


class Animal(BaseModel):
    """An animal."""

    name: str
    count: int


def get_weather(location: str) -> str:
    """Weather of a place."""
    return f"{location} is sunny."


def fails(kind, f):
    try:
        f()
    except kind:
        return
    raise AssertionError("no error")


def langchain(**more):
    chat = lambda name: ChatOpenAI(model=name, base_url=BASE, api_key="none-000000", max_retries=0, **more)
    weather = tool(get_weather)
    said = chat(MODEL).invoke([SystemMessage("Be brief."), HumanMessage(QUESTION)])
    assert FACT in said.text and said.usage_metadata["input_tokens"] > 0, said
    assert FACT in "".join(c.text for c in chat(MODEL).stream(QUESTION))
    assert FACT in loop.run_until_complete(chat(MODEL).ainvoke(QUESTION)).text
    bound = chat("scripted").bind_tools([weather])
    first = bound.invoke("two tools")
    assert [c["args"] for c in first.tool_calls] == [{"location": "Paris"}, {"location": "Rome"}], first
    results = [ToolMessage(weather.invoke(c["args"]), tool_call_id=c["id"]) for c in first.tool_calls]
    assert "Paris is sunny. and Rome is sunny." in bound.invoke([HumanMessage("two tools"), first, *results]).text
    assert isinstance(chat("extractive").with_structured_output(Animal).invoke("There are 14 cats named Tom."), Animal)
    picture = [{"type": "text", "text": "What is in the picture?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64," + PNG}}]
    assert chat("scripted").invoke([HumanMessage(picture)]).text == "I see it."
    fails(openai.NotFoundError, lambda: chat("gpt-absent").invoke("Hello"))
    fails(openai.RateLimitError, lambda: chat("scripted").invoke("status 429"))
    for _ in chat("scripted").stream("forever"):
        break
    print("ok   langchain-openai", version("langchain-openai"), more or "", "invoke, stream, async, tools, structured output, image, errors, abort")


def llama(kind):
    chat = lambda name: kind(model=name, api_base=BASE, api_key="none-000000", is_chat_model=True, is_function_calling_model=True,
                             should_use_structured_outputs=True, context_window=32000, max_retries=0)
    ask = lambda text: [ChatMessage(role="user", content=text)]
    assert FACT in chat(MODEL).complete(QUESTION).text
    assert FACT in chat(MODEL).chat(ask(QUESTION)).message.content
    assert FACT in "".join(c.delta or "" for c in chat(MODEL).stream_chat(ask(QUESTION)))
    assert FACT in loop.run_until_complete(chat(MODEL).achat(ask(QUESTION))).message.content
    weather = FunctionTool.from_defaults(get_weather)
    first = chat("scripted").chat_with_tools([weather], user_msg="two tools", allow_parallel_tool_calls=True)
    calls = chat("scripted").get_tool_calls_from_response(first)
    assert [c.tool_kwargs for c in calls] == [{"location": "Paris"}, {"location": "Rome"}], first
    turns = ask("two tools") + [first.message]
    for c in calls:
        turns.append(ChatMessage(role="tool", content=get_weather(**c.tool_kwargs), additional_kwargs={"tool_call_id": c.tool_id, "call_id": c.tool_id}))
    answer = chat("scripted").chat_with_tools([weather], chat_history=turns).message.content
    assert "Paris is sunny. and Rome is sunny." in answer, answer
    made = chat("extractive").as_structured_llm(Animal).complete("There are 14 cats named Tom.")
    assert isinstance(made.raw, Animal), made
    see = [ChatMessage(role="user", blocks=[TextBlock(text="What is in the picture?"), ImageBlock(image=PNG.encode(), image_mimetype="image/png")])]
    assert chat("scripted").chat(see).message.content == "I see it."
    fails(openai.NotFoundError, lambda: chat("gpt-absent").complete("Hello"))
    for _ in chat("scripted").stream_chat(ask("forever")):
        break
    print("ok   LlamaIndex", version("llama-index-core"), kind.__name__, "complete, chat, stream, async, tools, structured output, image, errors, abort")


langchain()
langchain(use_responses_api=True)
llama(OpenAILike)
llama(OpenAILikeResponses)
