// Keys, signing in, and what only keys without limits see.
import { readFileSync } from "node:fs";
import { ask, axeOn, base, check, key, keyed, open, signed, test, view } from "./kit.mjs";

await test("a key is asked for, kept for the tab, and a wrong one refused", async () => {
  const p = await open(keyed);
  await p.waitForSelector("dialog");
  await axeOn(p, "the key");
  await p.fill("dialog input", "wrong:key");
  await p.click("dialog button");
  await p.waitForSelector("text=This key is not accepted.");
  await p.fill("dialog input", key);
  await p.click("dialog button");
  await p.waitForSelector("dialog", { state: "detached" });
  await p.waitForSelector(".sample-card");
  await p.reload();
  await p.waitForSelector(".sample-card");
  check(await p.evaluate(() => !JSON.stringify(localStorage).includes("key") && document.cookie === ""), "the key is kept beyond the tab");
  // The first document of a service, brought in on the first screen, can be asked at once.
  await p.setInputFiles(".files", [{ name: "owls.md", mimeType: "text/markdown", buffer: Buffer.from("# Owls\n\nOwls hunt at night.\n") }]);
  await p.waitForSelector("#question");
  await ask(p, "When do owls hunt?");
  check((await p.textContent(".answer")).includes("at night"), "no answer");
  await p.context().close();
});

await test("somebody signs in by an OpenID provider, asks, and signs out", async () => {
  const p = await open(signed);
  await p.waitForSelector("dialog >> text=Sign in at 127.0.0.1");
  await axeOn(p, "sign in");
  await p.click("dialog >> text=Sign in at 127.0.0.1");
  await p.waitForSelector("input[name=login]");
  check(new URL(p.url()).origin !== signed, "the page of the provider is the service's");
  await p.fill("input[name=login]", "ann");
  await p.fill("input[name=password]", "any");
  await p.click("button[type=submit]");
  await p.waitForSelector("text=Authorize", { timeout: 10000 });
  await p.click("button[type=submit]");
  await p.waitForSelector(".sample-card");
  check(p.url().startsWith(`${signed}/`) && !p.url().includes("code="), `the code stays in the address: ${p.url()}`);
  await p.setInputFiles(".files", [{ name: "owls.md", mimeType: "text/markdown", buffer: Buffer.from("# Owls\n\nOwls hunt at night.\n") }]);
  await p.waitForSelector("#question");
  await ask(p, "When do owls hunt?");
  check((await p.textContent(".answer")).includes("at night"), "no answer");
  await view(p, "inside");
  await p.waitForSelector(".kinds");
  check((await p.locator(".tabs >> text=Keys").count()) === 0, "who signs in administers");
  await p.goto(`${signed}/?code=x&state=y`);
  await p.waitForSelector(".sample-card, #question");
  await p.context().close();
});

await test("look inside: a key without limits makes a key, sees what it used, and revokes it; that key sees none of it", async () => {
  const p = await open(keyed);
  const signIn = async (value) => {
    await p.waitForSelector("dialog");
    await p.fill("dialog input", value);
    await p.click("dialog button");
    await p.waitForSelector("dialog", { state: "detached" });
  };
  await signIn(key);
  await view(p, "inside");
  await p.click(".tabs >> text=Keys");
  await p.click("button:has-text('Make a key')");
  await p.fill("dialog label:has-text('Name') input", "shop");
  await p.fill("dialog label:has-text('Collections') input", "products, faq");
  await p.fill("dialog label:has-text('Requests a minute') input", "60");
  await axeOn(p, "make a key");
  await p.click("dialog button.primary");
  const made = await p.textContent(".made-key");
  check(/^lectern-[A-Z2-7]{26}$/.test(made), `made ${made}`);
  await p.click("dialog button.primary");
  await p.waitForSelector("tr:has-text('shop')");
  check(!(await p.content()).includes(made), "the key is shown again");
  const ask = await fetch(`${keyed}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": made },
    body: JSON.stringify({ model: "default", max_tokens: 20, messages: [{ role: "user", content: "hello" }] }),
  });
  check(ask.ok && ask.headers.get("anthropic-ratelimit-requests-limit") === "60", `the key: ${ask.status}`);
  await p.reload();
  await p.waitForSelector("tr:has-text('shop') td.num:has-text('1')");
  await p.click(".tabs >> text=Requests");
  await p.waitForSelector("td:has-text('POST /v1/messages')");
  await axeOn(p, "requests");
  await p.click(".tabs >> text=Settings");
  await p.waitForSelector("tr:has-text('SERVER_AUTH_SECRET') >> text=(secret)");
  check(!(await p.content()).includes(Buffer.from(key).toString("base64")), "the settings show the secret");
  await axeOn(p, "settings");
  await p.click(".tabs >> text=Work");
  await p.waitForSelector("text=Async messages");
  await axeOn(p, "work");
  const other = await open(keyed);
  await other.waitForSelector("dialog");
  await other.fill("dialog input", made);
  await other.click("dialog button");
  await other.waitForSelector("dialog", { state: "detached" });
  await view(other, "inside/keys");
  await other.waitForSelector(".kinds");
  await other.waitForTimeout(300);
  check(
    (await other.locator(".tabs >> text=Keys").count()) === 0 && !(await other.content()).includes("shop"),
    "a limited key sees the keys",
  );
  await p.click(".tabs >> text=Keys");
  await p.click("[aria-label='Revoke shop']");
  await axeOn(p, "revoke");
  await p.click("dialog button.primary");
  await p.waitForSelector("tr:has-text('shop') >> text=revoked");
  const gone = await fetch(`${keyed}/v1/models`, { headers: { "x-api-key": made } });
  check(gone.status === 401, `revoked: ${gone.status}`);
  await other.context().close();
  await p.context().close();
});

await test("look inside: files of a session and skills, listed, sent, downloaded, deleted", async () => {
  const p = await open(`${base}/#/inside/files`);
  await p.waitForSelector("text=This session has no files.");
  await p.fill("label:has-text('Session') input", "trip/2026");
  await p.waitForSelector("text=This session has no files.");
  await p.setInputFiles(".session-files", [
    { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("Train at nine.") },
    { name: "Müller & Söhne.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(4 << 20, 7) },
  ]);
  await p.waitForSelector("tr:has-text('plan.txt')");
  await p.waitForSelector("tr:has-text('Müller & Söhne.bin') >> text=4.2 MB");
  await axeOn(p, "files");
  const [plan] = await Promise.all([p.waitForEvent("download"), p.click("[aria-label='Download uploads/plan.txt']")]);
  check(readFileSync(await plan.path(), "utf8") === "Train at nine." && plan.suggestedFilename() === "plan.txt", "the file");
  const [large] = await Promise.all([p.waitForEvent("download"), p.click("[aria-label='Download uploads/Müller & Söhne.bin']")]);
  check(readFileSync(await large.path()).length === 4 << 20, "the large file");
  await p.click("[aria-label='Delete uploads/plan.txt']");
  await p.waitForSelector("tr:has-text('plan.txt')", { state: "detached" });
  await view(p, "inside/skills");
  await p.waitForSelector("text=This collection has no skills.");
  const skill = (what) => ({
    name: "SKILL.md",
    mimeType: "text/markdown",
    buffer: Buffer.from(`---\nname: make-tea\ndescription: ${what}\n---\n\nBoil water.\n`),
  });
  await p.setInputFiles(".skill-files", [{ name: "SKILL.md", mimeType: "text/markdown", buffer: Buffer.from("no frontmatter") }]);
  await p.waitForSelector("[role=alert]");
  await p.setInputFiles(".skill-files", [skill("How to make tea.")]);
  await p.waitForSelector("tr:has-text('make-tea')");
  check((await p.locator("[role=alert]").count()) === 0, "the error stays");
  const [chooser] = await Promise.all([p.waitForEvent("filechooser"), p.click("[aria-label^='New version of']")]);
  await chooser.setFiles([skill("How to make green tea.")]);
  await p.waitForFunction(
    () => document.querySelector("[aria-label^='New version of']") && !document.querySelector("button[aria-busy=true]"),
  );
  await p.click("button:has-text('Versions')");
  await p.waitForSelector(".versions >> text=green");
  check((await p.locator(".versions li").count()) === 2, "not two versions");
  await axeOn(p, "skills");
  const [zip] = await Promise.all([p.waitForEvent("download"), p.click(".versions li >> nth=0 >> [aria-label^=Download]")]);
  check(
    readFileSync(await zip.path())
      .subarray(0, 2)
      .toString() === "PK",
    "the archive",
  );
  await p.click("tr:has-text('make-tea') > td:last-child [aria-label^=Delete]");
  await p.waitForSelector("text=This collection has no skills.");
  await p.context().close();
});

await test("what a key may not reach is not shown", async () => {
  const make = async (groups) =>
    (
      await (
        await fetch(`${keyed}/v1/admin/keys`, {
          method: "POST",
          headers: { Authorization: `Basic ${Buffer.from(key).toString("base64")}` },
          body: JSON.stringify({ name: groups.join(), collections: ["*"], groups }),
        })
      ).json()
    ).key;
  for (const [groups, want] of [
    [["artifacts", "primitives", "models"], "Library,Search"],
    [["files"], ""],
    [["artifacts", "messages", "models", "system"], "Ask,Library,Review"],
  ]) {
    const p = await open(keyed, { known: /status of 40[13]/ });
    await p.waitForSelector("dialog");
    await p.fill("dialog input", await make(groups));
    await p.click("dialog button.primary");
    await p.waitForSelector("dialog", { state: "detached" });
    await p.waitForFunction(
      (w) => [...document.querySelectorAll(".views a > span:not(.note)")].map((a) => a.textContent).join() === w,
      want,
    );
    if (!want.includes("Ask")) await p.waitForSelector("text=This key may not use this part of the service.");
    if (groups.includes("files")) {
      await p.click("text=Look inside");
      await p.waitForSelector("text=This session has no files.");
      check((await p.locator(".tabs a").count()) === 1, "more than its files");
    }
    await p.context().close();
  }
});
