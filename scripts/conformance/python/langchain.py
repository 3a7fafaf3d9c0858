"""Runs langchain-anthropic, unchanged, against the service at BASE_URL. Exit 1 when a
check fails."""

import asyncio
import os
from importlib.metadata import version

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from pydantic import BaseModel


class Animal(BaseModel):
    """An animal."""

    name: str
    count: int


@tool
def get_weather(location: str) -> str:
    """Weather of a place."""
    return f"{location} is sunny."


def model(name="extractive", **more):
    return ChatAnthropic(model=name, base_url=os.environ["BASE_URL"], api_key="none-000000", max_tokens=400, max_retries=0, **more)


said = model().invoke([SystemMessage("Be brief."), HumanMessage("Hello")])
assert said.content and said.usage_metadata["input_tokens"] > 0, said

chunks = list(model().stream("Hello"))
assert "".join(c.text if isinstance(c.text, str) else c.text() for c in chunks), chunks

assert asyncio.run(model().ainvoke("Hello")).content

calls = model("scripted").bind_tools([get_weather]).invoke("two tools").tool_calls
assert [c["args"] for c in calls] == [{"location": "Paris"}, {"location": "Rome"}] and len({c["id"] for c in calls}) == 2, calls

history = [HumanMessage("two tools"), AIMessage("", tool_calls=calls), *[ToolMessage(get_weather.invoke(c["args"]), tool_call_id=c["id"]) for c in calls]]
answer = model("scripted").bind_tools([get_weather]).invoke(history)
assert "Paris is sunny. and Rome is sunny." in str(answer.content), answer

assert isinstance(model().with_structured_output(Animal).invoke("There are 14 cats named Tom."), Animal)
print("ok   langchain-anthropic", version("langchain-anthropic"), "create, stream, async, tools, history, structured output")
