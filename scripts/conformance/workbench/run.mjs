// Drives the page with Chromium. Each part uses what the parts before it have brought in; PARTS="keys trouble"
// runs some of them.
import { close } from "./kit.mjs";

const parts = process.env.PARTS ?? "journeys history keys trouble views looks";
for (const part of parts.split(" ")) await import(`./${part}.mjs`);
process.exit(await close());
