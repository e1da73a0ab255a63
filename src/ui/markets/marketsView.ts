import * as vscode from "vscode";
import { contextKeys, viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { MAX_STREAMED } from "../../desk/feeds/priceDemand.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { VenueState } from "../../desk/venue.ts";
import { symbolOf } from "../commands.ts";
import type { ActivePair } from "../activePair.ts";
import { focusedRow, meansFocused } from "../focusedRow.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { shownAmounts } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { venueWord } from "../pages/venueWords.ts";
import { priceAge } from "../text/priceAge.ts";
import { TimedText } from "../text/timedText.ts";

import { marketDrag } from "./dragAndDrop.ts";
import { activeList, ALL_PAIRS, FAVOURITES } from "../../desk/watchLists/watchLists.ts";
import type { MarketRow, MarketRows } from "./marketRows.ts";
import { listText } from "./listNames.ts";
import { revealRow } from "../revealRow.ts";

/** The Markets view: title, watch list, age of the prices, problems. */
export class MarketsView extends Disposable {
  readonly rows: MarketRows;
  readonly view: vscode.TreeView<MarketRow>;
  readonly #desk: Pick<Desk, "tickers" | "venue" | "timers">;
  readonly #activePair: ActivePair;
  readonly #message: TimedText;
  readonly #favouritePrices: VisiblePrices;
  readonly #rowPrices: VisiblePrices;
  readonly #contexts = new Map<string, string | boolean>();

  constructor(desk: Pick<Desk, "tickers" | "venue" | "timers">, rows: MarketRows, activePair: ActivePair) {
    super();
    this.#desk = desk;
    this.rows = rows;
    this.#activePair = activePair;
    const { tickers, venue, timers } = desk;
    this.view = this.register(
      vscode.window.createTreeView(viewIds.markets, {
        treeDataProvider: rows,
        dragAndDropController: marketDrag(rows),
      }),
    );
    this.#message = new TimedText(timers, () => this.#showMessage());
    this.#favouritePrices = this.register(new VisiblePrices(tickers, "favourite"));
    this.#rowPrices = this.register(new VisiblePrices(tickers, "list"));
    const showState = (): void => this.#showState();
    this.register(
      // Undefined: the order of the rows changed.
      rows.onDidChangeTreeData((painted) => painted === undefined && this.#updateDemand()),
      tickers.onDidChangePaced(({ change }) => {
        if (change?.staleChanged) this.#followMessage();
        showState();
      }),
      venue.onDidChange(showState),
      rows.lists.onDidChange(() => {
        this.#updateDemand();
        showState();
      }),
      this.view.onDidChangeVisibility(() => {
        rows.setVisible(this.view.visible);
        this.#updateDemand();
        this.#followMessage();
        this.#selectActive();
      }),
      this.view.onDidChangeSelection(({ selection: [row] }) => {
        if (row && tickers.ticker(row.symbol)) activePair.set(row.symbol);
      }),
      activePair.onDidSet(() => this.#selectActive()),
      () => this.#message.hide(),
    );
    rows.setVisible(this.view.visible);
    this.#updateDemand();
    this.#showState();
  }

  /** Selects and reveals a pair's row. False if the list on screen has none. */
  async reveal(symbol: string): Promise<boolean> {
    const row = this.rows.find(symbol);
    if (!row) return false;
    await revealRow(this.view, row, { select: true, focus: true });
    return true;
  }

  /** The editor does not report which rows are visible, so the first ones count. */
  #updateDemand(): void {
    const { order, tickers } = this.rows;
    const listed = order.symbols.filter((symbol) => tickers.ticker(symbol));
    const favourites = listed.filter((symbol) => order.isFavourite(symbol));
    this.#favouritePrices.set(this.view.visible ? favourites : undefined);
    this.#rowPrices.set(this.view.visible ? listed.slice(0, MAX_STREAMED) : undefined);
  }

  /** Selects the row of the active pair, without opening its chart or taking the focus. */
  #selectActive(): void {
    const symbol = this.#activePair.symbol;
    const row = symbol === undefined ? undefined : this.rows.find(symbol);
    // Revealing a row would open a hidden view.
    if (!row || !this.view.visible || this.view.selection.includes(row)) return;
    void revealRow(this.view, row, { select: true, focus: false });
  }

  /** The symbol in a command's argument. With `focused`, which keybindings pass, that of the focused row. */
  async symbolOf(argument: unknown): Promise<string | undefined> {
    return meansFocused(argument) ? (await focusedRow(this.view))?.symbol : symbolOf(argument);
  }

  #showState(): void {
    const { state } = this.#desk.venue;
    const markets = vscode.l10n.t("Markets");
    this.view.title = state.kind === "ready" ? `${markets} · ${venueWord(state.venue)}` : markets;
    const lists = this.rows.lists.state;
    const description = listText(lists);
    if (this.view.description !== description) this.view.description = description;
    this.#followMessage();
    const isNamed = [ALL_PAIRS, FAVOURITES].includes(lists.active);
    this.#setContext(contextKeys.activeList, isNamed ? lists.active : "other");
    this.#setContext(contextKeys.marketsState, this.#welcome());
  }

  #followMessage(): void {
    this.#message.show();
    if (!this.view.visible) this.#message.hide();
  }

  /** Shows problems and the age of the prices. Returns how many ms the text stays valid. */
  #showMessage(): number | undefined {
    const { tickers, venue } = this.#desk;
    const { state } = venue;
    const age = state.kind === "ready" ? priceAge(tickers, venue, shownAmounts()) : undefined;
    const message = age ? `${age.age} ${age.why}` : this.#problemText(state);
    // Undefined means no message; the editor's types do not allow it.
    if (this.view.message !== message) this.view.message = message as string;
    return age?.validMs;
  }

  #setContext(key: string, value: string | boolean): void {
    if (this.#contexts.get(key) === value) return;
    this.#contexts.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }

  /** The problem to show if there are no stale prices. */
  #problemText(state: VenueState): string | undefined {
    if (state.kind === "unusable") return explain(state.error, shownAmounts()).sentence;
    const { unreadable, problem } = this.#desk.tickers.state;
    if (problem !== undefined && state.kind === "ready")
      return explain(problem, shownAmounts(), state.venue.name).sentence;
    return unreadable === 0
      ? undefined
      : vscode.l10n.t("Pairs skipped because their data could not be read: {0}.", unreadable);
  }

  #welcome(): "loading" | "noFavourites" | "emptyList" | "ready" {
    const { readAt, tickers } = this.#desk.tickers.state;
    if (readAt === undefined) return "loading";
    const list = activeList(this.rows.lists.state);
    if (!list || tickers.size === 0) return "ready";
    return list.id === FAVOURITES ? "noFavourites" : "emptyList";
  }
}
