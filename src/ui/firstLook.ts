import * as vscode from "vscode";
import { panelTypes, stateKeys } from "../contributions.ts";
import type { Desk } from "../desk/desk.ts";
import { Disposable } from "../desk/disposable.ts";
import type { Charts } from "./chart/charts.ts";
import type { Markets } from "./markets/markets.ts";
import { tabsOf } from "./pages/pageColumn.ts";
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
  let tabs: vscode.Disposable | undefined;
  const stop = tickers.onDidChangePaced(() => {
    const symbol = markets.symbols.find((each) => tickers.ticker(each)?.frozen === false);
    if (!markets.visible || symbol === undefined) return;
    stop();
    if (state.get(stateKeys.firstLook) !== undefined) return;
    void state.update(stateKeys.firstLook, true);
    // The ticket opens beside the chart, which the editor reports only later: first the tab, then that it is in front.
    tabs = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (!tabsOf(panelTypes.chart).some(({ isActive }) => isActive)) return;
      tabs?.dispose();
      ticket.introduce(symbol);
    });
    void charts.show(symbol);
  });
  return new Disposable(stop, () => tabs?.dispose());
}
