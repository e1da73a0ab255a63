import * as vscode from "vscode";
import { contextKeys, viewIds } from "../contributions.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import type { CurrentVenue } from "../desk/venue.ts";
import { explain } from "./errorText.ts";
import type { MarketRow, MarketRows } from "./marketRows.ts";
import { ageText, timeText } from "./numberText.ts";

/** The Markets view around its rows: which venue, how old, what is wrong. */
export class MarketsView implements vscode.Disposable {
  readonly view: vscode.TreeView<MarketRow>;
  readonly #feed: TickerFeed;
  readonly #venue: CurrentVenue;
  readonly #now: () => number;
  readonly #stop: (() => void)[];

  constructor(rows: MarketRows, feed: TickerFeed, venue: CurrentVenue, now: () => number) {
    this.#feed = feed;
    this.#venue = venue;
    this.#now = now;
    this.view = vscode.window.createTreeView(viewIds.markets, { treeDataProvider: rows });
    this.#stop = [feed.onDidRead(() => this.#showState()), venue.onDidChange(() => this.#showState())];
    this.#showState();
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.view.dispose();
  }

  #showState(): void {
    const { state: venueState } = this.#venue;
    const { tickers, readAt, unreadable, problem } = this.#feed.state;
    const markets = vscode.l10n.t("Markets");
    this.view.title = venueState.kind === "ready" ? `${markets} · ${venueState.venue.name}` : markets;
    const name = venueState.kind === "ready" ? venueState.venue.name : vscode.l10n.t("The venue");
    const trouble = venueState.kind === "unusable" ? venueState.error : problem;
    const lines: string[] = [];
    if (trouble !== undefined) {
      lines.push(explain(trouble, name).sentence);
      if (readAt !== undefined && tickers.size > 0) {
        lines.push(
          vscode.l10n.t("Prices are from {0}, {1} ago.", timeText(readAt), ageText(this.#now() - readAt)),
        );
      }
    } else if (unreadable > 0)
      lines.push(vscode.l10n.t("{0} pairs could not be read and are left out.", unreadable));
    const message = lines.length > 0 ? lines.join(" ") : undefined;
    if (this.view.message !== message) this.view.message = message as string;
    const state = trouble !== undefined ? "failed" : readAt === undefined ? "loading" : "ready";
    void vscode.commands.executeCommand(
      "setContext",
      contextKeys.marketsState,
      venueState.kind === "unusable" ? "unusable" : state,
    );
  }
}
