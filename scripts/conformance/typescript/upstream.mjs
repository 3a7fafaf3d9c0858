// A chat completions server that does what the last user message says, for
// checks of what a client meets when the model provider behaves in some way.
// Prints its port.
import http from "node:http";

let freedAfter = -1; // ms that the last answer without end went on until it was left
const seen = {};

const server = http.createServer((req, res) => {
  if (req.url === "/freed") return res.end(String(freedAfter));
  if (req.url === "/v1/models") return res.end(JSON.stringify({ data: [{ id: "scripted" }] }));
  if (req.url.startsWith("/search")) // as SearXNG answers
    return res.end(JSON.stringify({ results: [{ url: "https://cats.example/", title: "Cats", content: "A group of cats is called a clowder." }] }));
  let body = "";
  req.on("data", (d) => (body += d));
  req.on("end", () => answer(JSON.parse(body), res));
});

function answer(body, res) {
  const last = body.messages.findLast((m) => m.role === "user");
  const parts = typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
  const said = parts.map((p) => p.text ?? "").join(" ");
  const status = /status (\d+)/.exec(said);
  if (status) {
    res.writeHead(Number(status[1]), { "retry-after-ms": "1" });
    return res.end(JSON.stringify({ error: { message: "secret-key-text" } }));
  }
  const once = /once (\d+) (\S+)/.exec(said); // refuse as often as our own retries last
  if (once && (seen[once[2]] = (seen[once[2]] ?? 0) + 1) <= 3) {
    res.writeHead(Number(once[1]), { "retry-after-ms": "1" });
    return res.end("{}");
  }
  if (!body.stream) return whole(body, said, parts, res);
  res.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta, finish = null) => res.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  const end = (finish) => {
    send({}, finish);
    res.end(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })}\n\ndata: [DONE]\n\n`);
  };
  if (body.messages.at(-1).role === "tool") {
    send({ content: "The tools say: " + body.messages.filter((m) => m.role === "tool").map((m) => m.content).join(" and ") });
    return end("stop");
  }
  if (said.includes("two tools")) {
    for (const [i, city] of ["Paris", "Rome"].entries()) {
      send({ tool_calls: [{ index: i, id: "call_" + i, type: "function", function: { name: body.tools[0].function.name, arguments: "" } }] });
      for (const piece of JSON.stringify({ location: city }).match(/.{1,5}/g)) send({ tool_calls: [{ index: i, function: { arguments: piece } }] });
    }
    return end("tool_calls");
  }
  if (said.includes("picture")) {
    send({ content: parts.some((p) => p.type === "image_url" && p.image_url.url.startsWith("data:image/png;base64,")) ? "I see it." : "No picture." });
    return end("stop");
  }
  if (said.includes("think")) {
    for (const p of ["I", " wonder"]) send({ reasoning_content: p });
    send({ content: "Thought." });
    return end("stop");
  }
  if (said.includes("json")) {
    send({ content: '```json\n{"n": 7}\n```' });
    return end("stop");
  }
  if (said.includes("forever")) {
    freedAfter = -1;
    const timer = setInterval(() => send({ content: "word " }), 5);
    const begun = Date.now();
    res.on("close", () => { clearInterval(timer); freedAfter = Date.now() - begun; });
    return;
  }
  for (const word of "Hello from the scripted model.".match(/\S+\s*/g)) send({ content: word });
  end("stop");
}

// whole answers in one piece, with the same words.
function whole(body, said, parts, res) {
  const collected = { content: "" };
  let finish;
  const fake = {
    writeHead() {},
    on() {},
    write(frame) {
      const { choices } = JSON.parse(frame.slice("data: ".length));
      const { delta, finish_reason } = choices[0];
      collected.content += delta.content ?? "";
      if (delta.reasoning_content) collected.reasoning_content = (collected.reasoning_content ?? "") + delta.reasoning_content;
      for (const call of delta.tool_calls ?? []) {
        collected.tool_calls ??= [];
        if (call.id) collected.tool_calls.push(call);
        else collected.tool_calls[call.index].function.arguments += call.function.arguments;
      }
      finish = finish_reason ?? finish;
    },
    end() {
      res.writeHead(200, { "content-type": "application/json" });
      res.end(JSON.stringify({ choices: [{ index: 0, message: collected, finish_reason: finish }], usage: { prompt_tokens: 11, completion_tokens: 7 } }));
    },
  };
  answer({ ...body, stream: true }, fake);
}

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
