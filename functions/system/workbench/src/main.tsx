import { render } from "preact";
import { finishSignIn } from "./api";
import { App, signInFailed } from "./app";
import { speak } from "./i18n";
import { applyTheme } from "./state";
import "./style.css";

applyTheme();
await speak();
signInFailed.value = await finishSignIn();
render(<App />, document.getElementById("app")!);
