import { render } from "preact";
import { App } from "./app";
import { speak } from "./i18n";
import { applyTheme } from "./state";
import "./style.css";

applyTheme();
await speak();
render(<App />, document.getElementById("app")!);
