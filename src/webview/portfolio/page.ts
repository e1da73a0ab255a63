import { html, render, svg, type TemplateResult } from "lit-html";
import type { Echo } from "../../protocol/echo.ts";
import type {
  FromPortfolioPage,
  PageTable,
  PlotPoint,
  PortfolioChoices,
  PortfolioContent,
  Period,
  Range,
  ToPortfolioPage,
} from "../../protocol/portfolioPage.ts";
import { element, sendEchoes, setText } from "../dom.ts";
import { onHostSilence } from "../silence.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPortfolioPage | Echo): void;
  setState(state: PortfolioChoices): void;
};

interface Choice<Id> {
  readonly id: Id;
  readonly name: string;
}

/** Columns that a narrow page has room for, side by side. */
const MOST_BESIDE = 3;

/** The plot's own units; it is stretched to the page. */
const [WIDTH, HEIGHT, MARGIN] = [1000, 100, 3];

const vscode = acquireVsCodeApi();
const setup = JSON.parse(element("setup", HTMLScriptElement).textContent) as {
  readonly ranges: readonly Choice<Range>[];
  readonly periods: readonly Choice<Period>[];
};

window.addEventListener("message", ({ data }: MessageEvent<ToPortfolioPage>) => {
  if (data.type === "content") show(data.content);
});
for (const type of ["addHolding", "exportValues"] as const)
  element(type, HTMLButtonElement).addEventListener("click", () => vscode.postMessage({ type }));
onHostSilence(() => undefined);
sendEchoes((echo) => vscode.postMessage(echo));
vscode.postMessage({ type: "ready" });

function show(content: PortfolioContent): void {
  vscode.setState({ range: content.range, period: content.period });
  setText("total", content.total);
  setText("note", content.note);
  put(
    "figures",
    content.figures.map(
      ({ name, value }) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    ),
  );
  put(
    "ranges",
    choices(setup.ranges, content.range, (range) => vscode.postMessage({ type: "range", range })),
  );
  put(
    "periods",
    choices(setup.periods, content.period, (period) => vscode.postMessage({ type: "period", period })),
  );
  put("plot", plot(content));
  setText("lineNote", content.lineNote);
  put("days", table("days-title", content.days));
  element("accounts-section", HTMLElement).hidden = content.accounts.rows.length === 0;
  put("accounts", table("accounts-title", content.accounts));
  put("assets", table("allocation", content.assets, content.assets.shares));
  put("movers", table("movers-title", content.movers));
  put("results", table("results-title", content.results));
  setText("omittedResults", content.resultsNote);
}

function put(id: string, what: unknown): void {
  render(what, element(id, HTMLElement));
}

function choices<Id>(
  all: readonly Choice<Id>[],
  chosen: Id,
  choose: (id: Id) => void,
): readonly TemplateResult[] {
  return all.map(
    ({ id, name }) =>
      html`<button type="button" aria-pressed=${id === chosen} @click=${() => choose(id)}>${name}</button>`,
  );
}

function plot({ line, lineText, scale }: PortfolioContent): TemplateResult {
  if (!scale) return html`<p class="note">${lineText}</p>`;
  return html`<p class="edge"><span>${scale.high}</span></p>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${lineText}>
      ${svg`<path d=${line.map(pathOf).join("")} />`}
    </svg>
    <p class="edge"><span>${scale.low}</span></p>
    <p class="edge"><span>${scale.from}</span><span>${scale.to}</span></p>`;
}

/** A point between two gaps is a line of no length, which round ends make visible. */
function pathOf(points: readonly PlotPoint[]): string {
  const [first] = points;
  return first ? `M${place(first)}${points.map((point) => `L${place(point)}`).join("")}` : "";
}

function place({ x, y }: PlotPoint): string {
  return `${(x * WIDTH).toFixed(1)} ${(MARGIN + (1 - y) * (HEIGHT - 2 * MARGIN)).toFixed(2)}`;
}

function table(
  title: string,
  { headings, rows, paths = [] }: PageTable,
  shares: readonly (number | undefined)[] = [],
): TemplateResult | string {
  if (rows.length === 0) return "–";
  return html`<table aria-labelledby=${title} class=${headings.length > MOST_BESIDE ? "wide" : ""}>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(([name = "", ...cells], index) => {
        const [share, path = ""] = [shares[index], paths[index]];
        return html`<tr>
          <th scope="row">
            ${name}${path === "" ? "" : html`<p class="path">${path}</p>`}${share === undefined ? "" : bar(share)}
          </th>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function bar(share: number): TemplateResult {
  return html`<svg class="bar" aria-hidden="true">
    ${svg`<rect width=${`${(share * 100).toFixed(2)}%`} />`}
  </svg>`;
}
