import type { Echo } from "../../protocol/echo.ts";
import type {
  ExchangeOffer,
  ExchangePageSetup,
  FromExchangePage,
  OfferRow,
  ToExchangePage,
} from "../../protocol/exchangePage.ts";
import { element, make, sendEchoes, setText } from "../dom.ts";

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
      const button = make("button", { type: "button", textContent: label });
      button.addEventListener("click", () => vscode.postMessage({ type: "action", id }));
      return button;
    }),
  );
  element("sections", HTMLElement).replaceChildren(
    ...sections.flatMap((section) => {
      const table = document.createElement("table");
      table.append(...section.rows.map(rowOf));
      return [make("h2", { textContent: section.title }), table];
    }),
  );
}

function rowOf({ name, state, text }: OfferRow): HTMLTableRowElement {
  const row = make("tr", { className: state });
  const mark = make("span", { className: "mark", textContent: MARKS[state] });
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", states[state]);
  const head = make("th", { scope: "row" });
  head.append(mark, name);
  row.append(head, make("td", { textContent: text }));
  return row;
}
