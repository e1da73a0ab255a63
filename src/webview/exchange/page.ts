import { html, render, type TemplateResult } from "lit-html";
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
  const act = (id: (typeof actions)[number]["id"]) => () => vscode.postMessage({ type: "action", id });
  render(
    actions.map(({ id, label }) => html`<button type="button" @click=${act(id)}>${label}</button>`),
    element("actions", HTMLElement),
  );
  render(
    sections.map(
      (section) =>
        html`<h2>${section.title}</h2>
          <table>
            ${section.rows.map(rowOf)}
          </table>`,
    ),
    element("sections", HTMLElement),
  );
}

function rowOf({ name, state, text }: OfferRow): TemplateResult {
  return html`<tr class=${state}>
    <th scope="row">
      <span class="mark" role="img" aria-label=${states[state]}>${MARKS[state]}</span>${name}
    </th>
    <td>${text}</td>
  </tr>`;
}
