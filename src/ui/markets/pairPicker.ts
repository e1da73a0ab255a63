import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { VenueState } from "../../desk/venue.ts";
import { compactName, nameContains, pairKey, pairName, type Pair, typedName } from "../../market/pair.ts";
import { hasPair, isPinned } from "../../desk/watchLists/edits.ts";
import type { Ticker } from "../../market/ticker.ts";
import { executeCommand } from "../commands.ts";
import { closeInput, openInput } from "../quickInput.ts";
import { shownAmounts } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { arrowText, rateText } from "../text/numberText.ts";
import type { MarketRows } from "./marketRows.ts";

interface PairEntry extends vscode.QuickPickItem {
  readonly symbol: string;
}

/** Lets the user pick any pair of the exchange, listed in row order; undefined if cancelled. */
export async function pickPair(
  { tickers, venue, rules }: Desk,
  rows: MarketRows,
  title: string,
): Promise<Ticker | undefined> {
  const nameOf = (pair: Pair): string | undefined => rules.nameOf(pair);
  const pick = vscode.window.createQuickPick<PairEntry>();
  pick.title = title;
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const show = (): void => {
    const active = pick.activeItems[0]?.symbol;
    pick.items = entries(rows, pick.value, nameOf);
    if (active !== undefined) pick.activeItems = pick.items.filter(({ symbol }) => symbol === active);
    describe();
  };
  const describe = (): void => {
    const { readAt, problem } = tickers.state;
    pick.busy = readAt === undefined && problem === undefined;
    pick.placeholder = placeholder(tickers.state.problem, venue.state);
  };
  show();
  const stops = [
    // Polls the market, which is otherwise not polled while the view is hidden.
    tickers.demand.add(),
    tickers.onDidChangePaced(({ change }) => {
      if (change?.rowsChanged || change?.staleChanged) show();
      describe();
    }),
    rows.lists.onDidChange(show),
  ];
  pick.onDidChangeValue(() => {
    const found = entries(rows, pick.value, nameOf);
    const isSame = found.every(({ alwaysShow }, index) => alwaysShow === pick.items[index]?.alwaysShow);
    // Otherwise the editor's own filter and choice stay undisturbed.
    if (!isSame) pick.items = found;
  });
  pick.onDidTriggerItemButton(({ item, button }) => {
    const found = [STAR, UNSTAR, LISTS, PIN, UNPIN, CHART].find((each) => each === button);
    if (found) void executeCommand(found.command, item.symbol);
  });
  const chosen = await new Promise<string | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.symbol));
    pick.onDidHide(() => resolve(undefined));
    void openInput(pick);
  });
  for (const stop of stops) stop();
  closeInput(pick);
  return chosen === undefined ? undefined : tickers.ticker(chosen);
}

function placeholder(marketProblem: unknown, state: VenueState): string {
  const problem = state.kind === "unusable" ? state.error : marketProblem;
  if (problem === undefined) return vscode.l10n.t("Type part of a pair's name, a price or a change");
  return explain(problem, shownAmounts(), state.kind === "ready" ? state.venue.name : undefined).sentence;
}

type PairCommand = "star" | "unstar" | "addToList" | "pin" | "unpin" | "openChart";

const button = (
  command: PairCommand,
  icon: string,
  tooltip: string,
): vscode.QuickInputButton & { readonly command: PairCommand } => ({
  command,
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
});

const STAR = button("star", "star-empty", vscode.l10n.t("Add to Favourites"));
const UNSTAR = button("unstar", "star-full", vscode.l10n.t("Remove from Favourites"));
const LISTS = button("addToList", "list-unordered", vscode.l10n.t("Add to Watch List…"));
const PIN = button("pin", "pin", vscode.l10n.t("Pin to Status Bar"));
const UNPIN = button("unpin", "pinned", vscode.l10n.t("Unpin from Status Bar"));
const CHART = button("openChart", "graph-line", vscode.l10n.t("Open Chart"));

/**
 * All pairs. The editor filters them by their visible texts, and never hides those whose name is typed without separator, or
 * whose coin's name contains the typed text.
 */
function entries(rows: MarketRows, typed: string, nameOf: (pair: Pair) => string | undefined): PairEntry[] {
  const { tickers, lists } = rows;
  const [favourites] = lists.state.lists;
  return rows.allSymbols.flatMap((symbol) => {
    const ticker = tickers.ticker(symbol);
    if (!ticker) return [];
    const key = pairKey(ticker.pair);
    // Includes the symbol, because the editor filters by visible text.
    const words = [rateText(ticker.last, tickers.placesOf(ticker)), arrowText(ticker.percentChange), symbol];
    if (ticker.frozen) words.push(vscode.l10n.t("frozen"));
    if (tickers.isStaleOf(symbol)) words.push(vscode.l10n.t("stale"));
    const buttons = [
      CHART,
      hasPair(favourites, key) ? UNSTAR : STAR,
      LISTS,
      isPinned(lists.state, key) ? UNPIN : PIN,
    ];
    return [
      {
        symbol,
        label: pairName(ticker.pair),
        description: words.filter(Boolean).join("  "),
        alwaysShow: isNamedWithoutSeparator(ticker.pair, typed) || nameContains(nameOf(ticker.pair), typed),
        buttons,
      },
    ];
  });
}

/**
 * Whether the text is the beginning of a pair's name, across its two assets, such as `btcth` or `btc th`, in wide letters or
 * with invisible marks: the editor does not find it then.
 */
function isNamedWithoutSeparator({ base, quote }: Pair, typed: string): boolean {
  const wanted = compactName(typed);
  const isUsual = typedName(typed) === typed.trim().toUpperCase();
  return [
    [base, quote],
    [quote, base],
  ].some(
    ([first = "", second = ""]) =>
      !(isUsual && compactName(first).startsWith(wanted)) && compactName(first + second).startsWith(wanted),
  );
}
