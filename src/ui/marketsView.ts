import * as vscode from "vscode";
import { contextKeys, viewIds } from "../contributions.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import type { CurrentVenue, VenueState } from "../desk/venue.ts";
import { explain } from "./errorText.ts";
import { ProfileError } from "./liveVenue.ts";
import type { MarketRow, MarketRows } from "./marketRows.ts";
import { ageText, timeText } from "./numberText.ts";

/** The Markets view around its rows: which venue, how old, what is wrong. */
export class MarketsView implements vscode.Disposable {
  readonly view: vscode.TreeView<MarketRow>;
  readonly #feed: TickerFeed;
  readonly #venue: CurrentVenue;
  readonly #now: () => number;
  readonly #stop: (() => void)[];
  #shownWelcome: string | undefined;

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
    const { state } = this.#venue;
    const markets = vscode.l10n.t("Markets");
    this.view.title = state.kind === "ready" ? `${markets} · ${state.venue.name}` : markets;
    const message = this.#message(state);
    // The types lack the undefined that the editor takes for "no message".
    if (this.view.message !== message) this.view.message = message as string;
    const welcome = this.#welcome(state);
    if (welcome === this.#shownWelcome) return;
    this.#shownWelcome = welcome;
    void vscode.commands.executeCommand("setContext", contextKeys.marketsState, welcome);
  }

  /** What is wrong, and how old the prices are. A view that says something shows no welcome, so what a welcome says better is left to it. */
  #message(state: VenueState): string | undefined {
    if (state.kind === "unusable") {
      return isUnset(state.error) ? undefined : explain(state.error, vscode.l10n.t("The venue")).sentence;
    }
    const { tickers, readAt, unreadable, problem } = this.#feed.state;
    if (problem !== undefined && state.kind === "ready") {
      const { sentence } = explain(problem, state.venue.name);
      if (readAt === undefined || tickers.size === 0) return sentence;
      const age = ageText(this.#now() - readAt);
      return `${sentence} ${vscode.l10n.t("Prices are from {0}, {1} ago.", timeText(readAt), age)}`;
    }
    return unreadable === 0
      ? undefined
      : vscode.l10n.t("Pairs left out because they could not be read: {0}.", unreadable);
  }

  #welcome(state: VenueState): "unset" | "loading" | "ready" {
    if (state.kind === "unusable" && isUnset(state.error)) return "unset";
    return this.#feed.state.readAt === undefined ? "loading" : "ready";
  }
}

/** Nothing was entered yet: nothing is wrong. */
function isUnset(error: unknown): boolean {
  return error instanceof ProfileError && error.problems.join() === "baseUrlMissing";
}
