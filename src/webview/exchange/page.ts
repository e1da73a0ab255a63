import type { Echo } from "../../protocol/echo.ts";
import type {
  ExchangeOffer,
  ExchangePageSetup,
  FromExchangePage,
  OfferRow,
  ToExchangePage,
} from "../../protocol/exchangePage.ts";
import { element, sendEchoes, setText } from "../dom.ts";

declare function acquireVsCodeApi(): { postMessage(message: FromExchangePage | Echo): void };

/** Shape, not only colour, distinguishes the states. */
const MARKS: Readonly<Record<OfferRow["state"], string>> = { works: "✓", untried: "◦", off: "–" };

const vscode = acquireVsCodeApi();
const { states } = JSON.parse(element("setup", HTMLScriptElement).textContent) as ExchangePageSetup;

window.addEventListener("message", ({ data }: MessageEvent<ToExchangePage>) => {
  if (data.type === "offer") show(data.offer);
});
sendEchoes((echo) => vscode.postMessage(echo));
vscode.postMessage({ type: "ready" });

function show({ title, summary, sections, actions }: ExchangeOffer): void {
  setText("title", title);
  setText("summary", summary);
  element("actions", HTMLElement).replaceChildren(
    ...actions.map(({ id, label }) => {
      const button = make("button", label);
      button.type = "button";
      button.addEventListener("click", () => vscode.postMessage({ type: "action", id }));
      return button;
    }),
  );
  element("sections", HTMLElement).replaceChildren(
    ...sections.flatMap((section) => {
      const table = document.createElement("table");
      table.append(...section.rows.map(rowOf));
      return [make("h2", section.title), table];
    }),
  );
}

function rowOf({ name, state, text }: OfferRow): HTMLTableRowElement {
  const row = document.createElement("tr");
  row.className = state;
  const head = document.createElement("th");
  head.scope = "row";
  const mark = make("span", MARKS[state]);
  mark.className = "mark";
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", states[state]);
  head.append(mark, name);
  row.append(head, make("td", text));
  return row;
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
