// An upstream in OpenAI's wire that says one word after another, slowly.
import { createServer } from "node:http";
const server = createServer((req, res) => {
  if (req.url.endsWith("/models")) return res.end(JSON.stringify({ data: [{ id: "slow" }] }));
  res.writeHead(200, { "Content-Type": "text/event-stream" });
  let k = 0;
  const chunk = (delta, finish = null) => res.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "slow", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  const timer = setInterval(() => {
    if (++k > 200) { chunk({}, "stop"); res.end("data: [DONE]\n\n"); clearInterval(timer); } else chunk({ content: `word ${k} ` });
  }, 60);
  res.on("close", () => clearInterval(timer));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
