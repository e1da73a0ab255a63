import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { findPairs } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { ask } from "../quickInput.ts";
import { pairFormat, save } from "../settings.ts";
import { arrowOf, changeText, figures, rateText } from "../text/numberText.ts";
import {
  formatPair,
  formatProblem,
  MAX_FORMAT_LENGTH,
  type FormatProblem,
  pairFields,
  usualPairFormat,
} from "../text/pairFormat.ts";

/** The text of a pair in the status bar, in the user's format. `places`: the decimals of its prices. */
export function pairText(ticker: Ticker, places: number, format: string): string {
  const { pair, last, percentChange, bestBid, bestAsk, high, low, quoteVolume } = ticker;
  const price = (value: number | undefined): string => (value === undefined ? "" : rateText(value, places));
  const arrow = arrowOf(percentChange);
  return formatPair(format, {
    pair: `${pair.base}/${pair.quote}`,
    base: pair.base,
    quote: pair.quote,
    last: rateText(last, places),
    change: changeText(percentChange),
    arrow: arrow && `${arrow} `,
    bestBid: price(bestBid),
    bestAsk: price(bestAsk),
    high: price(high),
    low: price(low),
    volume: quoteVolume === undefined ? "" : figures.volume(quoteVolume),
  });
}

/** Command "Edit Status Bar Text…": shows what the typed format makes of a pair. */
export async function editStatusBarText({ tickers, watchLists }: Desk): Promise<void> {
  const { pinned } = watchLists.state;
  const market = tickers.state.tickers;
  const shown = findPairs(market, pinned)[0] ?? market.values().next().value;
  const typed = await ask({
    title: vscode.l10n.t("Edit Status Bar Text"),
    prompt: vscode.l10n.t("Text of a pinned pair. Its values: {0}.", fieldList()),
    value: pairFormat().format,
    placeHolder: usualPairFormat,
    problem: (text) => {
      const problem = text === "" ? undefined : formatProblem(text);
      return problem && formatProblemText(problem);
    },
    understood: (text) =>
      shown &&
      vscode.l10n.t(
        "Preview: {0}",
        pairText(shown, tickers.placesOf(shown), text === "" ? usualPairFormat : text),
      ),
  });
  if (typed !== undefined)
    await save(settingKeys.pairFormat, typed === "" || typed === usualPairFormat ? undefined : typed);
}

/** What is wrong with a format. */
export function formatProblemText(problem: FormatProblem): string {
  switch (problem.kind) {
    case "tooLong":
      return vscode.l10n.t("Use at most {0} characters.", MAX_FORMAT_LENGTH);
    case "noField":
      return vscode.l10n.t("The text has no value. Use one of {0}.", fieldList());
    case "unclosed":
      return vscode.l10n.t("A value is not closed by a brace. Write {0}.", "${last}");
    case "unknownField":
      return vscode.l10n.t("There is no value {0}. Use {1}.", `\${${problem.field}}`, fieldList());
  }
}

function fieldList(): string {
  return pairFields.map((field) => `\${${field}}`).join(" ");
}
