import * as vscode from "vscode";
import { settingKeys, statusItemIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { isPinned, pin } from "../../desk/watchLists/edits.ts";
import { MAX_PINNED_PAIRS } from "../../desk/watchLists/watchLists.ts";
import { findPair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { commandLink, offer } from "../commands.ts";
import { onDidChangeSettings, pairFormat, statusBarIsHidden } from "../settings.ts";
import { changeText, rateText } from "../text/numberText.ts";
import { formatProblemText, pairText } from "./statusBarText.ts";
import { timeText } from "../text/timeText.ts";
import type { WatchListsStore } from "../../desk/watchLists/watchListsStore.ts";

/** Places the items to the right of the balance, whose priority is 10, each to the right of the previous one. */
const FIRST_PRIORITY = 9;
const STEP = 0.001;

/** The pinned pairs in the status bar. A pair that the exchange does not list has no item. */
export class PinnedTickers extends Disposable {
  readonly #desk: Pick<Desk, "tickers" | "venue">;
  readonly #lists: WatchListsStore;
  readonly #prices: VisiblePrices;
  readonly #items = new Map<string, vscode.StatusBarItem>();
  /** Keys of the listed pinned pairs. */
  #listed: readonly string[] = [];
  #created = 0;

  constructor(desk: Pick<Desk, "tickers" | "venue">, lists: WatchListsStore) {
    super();
    this.#desk = desk;
    this.#lists = lists;
    const { tickers } = desk;
    this.#prices = this.register(new VisiblePrices(tickers, "favourite"));
    this.register(
      tickers.onDidChangePaced(({ change }) => (change?.rowsChanged ? this.#arrange() : this.#show())),
      lists.onDidChange(() => this.#arrange()),
      onDidChangeSettings([settingKeys.hideStatusBar], () => this.#arrange()),
      onDidChangeSettings([settingKeys.pairFormat], () => {
        this.#show();
        void warnOfFormat();
      }),
      () => this.#items.forEach((item) => item.dispose()),
    );
    this.#arrange();
  }

  /** Creates an item per listed pinned pair, and watches the market while there is one. */
  #arrange(): void {
    const pinned = statusBarIsHidden() ? [] : this.#lists.state.pinned;
    const { tickers } = this.#desk.tickers.state;
    const symbols = pinned.map((key) => findPair(tickers, key)?.symbol ?? key);
    this.#prices.set(symbols.length > 0 ? symbols : undefined);
    this.#listed = symbols.filter((symbol) => tickers.has(symbol)).slice(0, MAX_PINNED_PAIRS);
    for (const [key, item] of this.#items) {
      if (this.#listed.includes(key)) continue;
      item.dispose();
      this.#items.delete(key);
    }
    this.#show();
  }

  #show(): void {
    for (const key of this.#listed) {
      const ticker = this.#desk.tickers.ticker(key);
      if (ticker) this.#paint(this.#items.get(key) ?? this.#create(key, ticker), ticker);
    }
  }

  #create(key: string, { symbol }: Ticker): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      statusItemIds.pinned + key,
      vscode.StatusBarAlignment.Left,
      FIRST_PRIORITY - STEP * this.#created++,
    );
    // Set only once, because a click is lost while the command is being replaced.
    item.command = commandLink("openChart", vscode.l10n.t("Open Chart"), symbol);
    this.#items.set(key, item);
    item.show();
    return item;
  }

  #paint(item: vscode.StatusBarItem, ticker: Ticker): void {
    const { symbol, pair, last, percentChange, frozen } = ticker;
    const { tickers, venue } = this.#desk;
    const stale = tickers.isStaleOf(symbol);
    const price = rateText(last, tickers.placesOf(ticker));
    const { format, problem } = pairFormat();
    const words = pairText(ticker, tickers.placesOf(ticker), format);
    const text = stale ? `$(history) ${words}` : frozen ? `$(lock) ${words}` : words;
    if (item.text === text) return;
    const states = [
      frozen ? vscode.l10n.t("frozen") : "",
      stale ? vscode.l10n.t("stale, updated {0}", timeText(tickers.pricedAt(symbol) ?? 0)) : "",
    ];
    const name = vscode.l10n.t("{0} in {1}", pair.base, pair.quote);
    const spokenPrice = last === undefined ? vscode.l10n.t("no trades yet") : price;
    const spoken = [name, spokenPrice, changeText(percentChange), ...states].filter(Boolean).join(", ");
    item.text = text;
    item.name = `Bidside: ${name}`;
    const wrong =
      problem && vscode.l10n.t("The text in the settings cannot be used. {0}", formatProblemText(problem));
    const parts = [symbol, venue.venue?.name, ...states].filter(Boolean).join(" · ");
    item.tooltip = [parts, wrong].filter(Boolean).join("\n");
    item.accessibilityInformation = { label: spoken };
  }
}

/** Says what is wrong with a format that the user has just written into the settings. */
async function warnOfFormat(): Promise<void> {
  const { problem } = pairFormat();
  if (!problem) return;
  const text = vscode.l10n.t(
    "The text for pinned pairs is invalid, so the default is shown. {0}",
    formatProblemText(problem),
  );
  await offer(
    "showWarningMessage",
    text,
    commandLink("editStatusBarText", vscode.l10n.t("Edit Status Bar Text…")),
  );
}

/** Pins a pair to the status bar, or shows that the limit is reached. */
export async function pinPair(
  lists: WatchListsStore,
  { state }: Desk["tickers"],
  key: string,
): Promise<void> {
  await lists.change((before) => pin(before, key, state.tickers));
  if (isPinned(lists.state, key)) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t("You have reached the limit of {0} pinned pairs. Unpin one first.", MAX_PINNED_PAIRS),
  );
}
