import type * as vscode from "vscode";
import { stateKeys } from "../contributions.ts";
import type { Desk } from "../desk/desk.ts";
import { Disposable } from "../desk/disposable.ts";
import type { Charts } from "./chart/charts.ts";
import type { Markets } from "./markets/markets.ts";
import type { Ticket } from "./ticket/ticket.ts";

interface FirstLook {
  readonly tickers: Desk["tickers"];
  readonly markets: Pick<Markets, "visible" | "symbols">;
  readonly charts: Pick<Charts, "show">;
  readonly ticket: Pick<Ticket, "introduce">;
}

/**
 * Opens the chart and the ticket of the first pair as soon as Markets shows prices for the first time, once per user. The
 * side bar keeps the focus.
 */
export function followFirstLook(
  state: vscode.Memento,
  { tickers, markets, charts, ticket }: FirstLook,
): Disposable {
  const stop = tickers.onDidChangePaced(() => {
    const symbol = markets.symbols.find((each) => tickers.ticker(each)?.frozen === false);
    if (!markets.visible || symbol === undefined) return;
    stop();
    if (state.get(stateKeys.firstLook) !== undefined) return;
    void state.update(stateKeys.firstLook, true);
    // The ticket opens beside the chart, whose place the editor reports later. And where all pages have one origin, as in a
    // server's editor, the second of two first pages that load at once may stay empty.
    void charts.show(symbol).then(() => ticket.introduce(symbol));
  });
  return new Disposable(stop);
}
