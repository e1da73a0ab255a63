import { element, make } from "../../dom.ts";
import type { ColourToken, LinePattern } from "../series.ts";

/** A study under the crosshair. */
export interface LegendEntry {
  readonly name: string;
  readonly value: string;
  /** Of its first line; undefined for a study without lines. */
  readonly line: { readonly colour: ColourToken; readonly pattern: LinePattern } | undefined;
  /** 0: the pane of the prices; undefined: its pane needs no name. */
  readonly pane: number | undefined;
}

/** The names and values of studies: beside those of the candle, and at the top of each pane of a study. */
export class StudyLegend {
  readonly #prices = element("legend", HTMLElement);
  readonly #panes = element("pane-legends", HTMLElement);
  #texts = "";

  /** `tops`: where each pane begins, px below the top of the chart. */
  show(entries: readonly LegendEntry[], tops: readonly number[]): void {
    const texts = JSON.stringify([entries, tops]);
    if (texts === this.#texts) return;
    this.#texts = texts;
    for (const old of this.#prices.querySelectorAll(".study")) old.remove();
    this.#prices.append(...entries.filter(({ pane }) => pane === 0).map(entryOf));
    const below = entries.filter(({ pane }) => pane !== undefined && pane > 0);
    this.#panes.replaceChildren(
      ...below.map((entry) => {
        const list = make("dl", { className: "legend" });
        list.style.top = `${tops[entry.pane ?? 0] ?? 0}px`;
        list.append(entryOf(entry));
        return list;
      }),
    );
  }
}

function entryOf({ name, value, line }: LegendEntry): HTMLElement {
  const entry = make("div", { className: "study" });
  const term = make("dt", { textContent: name });
  if (line) term.prepend(make("span", { className: `swatch ${line.colour} ${line.pattern}` }));
  entry.append(term, make("dd", { textContent: value }));
  return entry;
}
