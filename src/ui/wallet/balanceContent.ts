import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { BalanceState } from "../../desk/feeds/balanceFeed.ts";
import type { TodaysResult } from "../../desk/portfolio/valueRecorder.ts";
import type { Watching, VenueState } from "../../desk/venue.ts";
import { freeOf, totalOf, unreadableAssets, type Wallet } from "../../market/balance.ts";
import type { HeldElsewhere } from "../../market/holdings/heldElsewhere.ts";
import { assetsWithoutValue, portfolioOf } from "../../market/holdings/portfolio.ts";
import type { Ticker } from "../../market/ticker.ts";
import { commandLink } from "../commands.ts";
import type { AmountText } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { timeText } from "../text/timeText.ts";
import type { StatusBalance } from "../settings.ts";
import { withoutNames } from "./portfolioText.ts";
import { todayWithAsset } from "./todayText.ts";
import { notOfferedText } from "../venue/featureText.ts";

/** Text and command of the status bar item. */
interface BalanceContent {
  readonly icon: "sync" | "warning" | "history" | "beaker" | "broadcast";
  /** Text without the icon. */
  readonly words: string;
  /** For screen readers, which do not see the icon. */
  readonly spoken: string;
  readonly tooltip: vscode.MarkdownString;
  readonly command: string | vscode.Command;
}

export interface BalanceInput {
  readonly state: VenueState;
  readonly balance: BalanceState;
  readonly needsCredentials: boolean;
  /** Number of orders with unknown outcomes, which may hold money. */
  readonly attention: number;
  /** Asset of the figure; undefined before the market is known. */
  readonly quote: string | undefined;
  /** What is available, the value of the account with holdings elsewhere, the result of today, or none. */
  readonly figure: StatusBalance;
  /** By whose prices the tooltip lists the most valuable assets first. */
  readonly tickers: readonly Ticker[];
  /** Counted in the value of the account. */
  readonly elsewhere: readonly HeldElsewhere[];
  /** Undefined while it is unknown. */
  readonly today: TodaysResult | undefined;
  readonly amounts: AmountText;
  /** Set while visible prices are stale. */
  readonly stalePrices?: { readonly updatedAt: number; readonly why: string } | undefined;
}

const ICONS = { practice: "beaker", live: "broadcast" } as const;

/** The status bar item for any state of exchange, account and orders. */
export function balanceContent(input: BalanceInput): BalanceContent {
  const content = withPriceAge(accountContent(input), input);
  if (input.attention === 0) return content;
  const bids = vscode.l10n.t("Orders that may have been placed: {0}", input.attention);
  content.tooltip.appendMarkdown("\n\n");
  content.tooltip.appendText(vscode.l10n.t("{0}. Check them in Orders.", bids));
  const words = `${content.words} · ${vscode.l10n.t("{0} unknown", input.attention)}`;
  return { ...content, icon: "warning", words, spoken: words };
}

/** Stale prices change the icon alone, so that the item keeps its width. */
function withPriceAge(
  content: Omit<BalanceContent, "spoken">,
  { stalePrices }: BalanceInput,
): BalanceContent {
  const { words, icon, tooltip } = content;
  if (!stalePrices) return { ...content, spoken: words };
  const age = vscode.l10n.t("Prices are stale, updated {0}.", timeText(stalePrices.updatedAt));
  tooltip.appendMarkdown("\n\n").appendText(sanitizeText(`${age} ${stalePrices.why}`));
  return { ...content, spoken: `${words}. ${age}`, icon: icon === "warning" ? icon : "history" };
}

function accountContent(input: BalanceInput): Omit<BalanceContent, "spoken"> {
  const { state, balance, needsCredentials, quote, amounts } = input;
  const tooltip = new vscode.MarkdownString();
  const command: string = commandIds.showBalance;
  if (state.kind === "opening") {
    const words = state.account.kind === "live" ? vscode.l10n.t("Live") : vscode.l10n.t("Practice");
    return { icon: "sync", words, tooltip, command };
  }
  if (state.kind === "unusable") {
    const { sentence, action } = explain(state.error, amounts);
    tooltip.appendText(sentence);
    return { icon: "warning", words: vscode.l10n.t("Bidside: not set up"), tooltip, command: action };
  }
  const { venue } = state;
  const { wallet, problem } = balance;
  tooltip.appendMarkdown("**").appendText(sanitizeText(venue.name)).appendMarkdown("**\n\n");
  if (needsCredentials) {
    const { origin } = venue.profile.baseUrl;
    const { sentence } = explain(problem, amounts, venue.name);
    const click = vscode.l10n.t("Click to enter the API key and secret for {0}.", origin);
    tooltip.appendText(`${sentence} ${click}`);
    if (wallet) {
      tooltip.appendMarkdown("\n\n");
      appendWallet(tooltip, wallet, input);
    }
    const words = vscode.l10n.t("{0}: Set API Key", shortName(venue));
    const enterKey = commandLink("addAccount", vscode.l10n.t("Set API Key and Secret…"), "key");
    return { icon: ICONS[venue.account.kind], words, tooltip, command: enterKey };
  }
  if (problem !== undefined) {
    tooltip.appendText(explain(problem, amounts, venue.name).sentence);
    tooltip.appendMarkdown("\n\n");
  }
  if (wallet) appendWallet(tooltip, wallet, input);
  const missing = notOfferedText(venue.profile.features);
  if (missing !== undefined) tooltip.appendMarkdown("\n\n").appendText(missing);
  const words = wallet && quote !== undefined ? figureText(venue, wallet, quote, input) : shortName(venue);
  const left = wallet && quote !== undefined ? withoutNames(leftOutOf(wallet, quote, input)) : "";
  if (left !== "") tooltip.appendMarkdown("\n\n").appendText(sanitizeText(`${words} ${left}`));
  const isUnknown = wallet && quote !== undefined && !freeOf(wallet, quote);
  return {
    icon: problem === undefined && !isUnknown ? ICONS[venue.account.kind] : "warning",
    words,
    tooltip,
    command,
  };
}

export function unreadableText(assets: readonly string[]): string {
  return vscode.l10n.t(
    "The exchange's response has no readable balance for {0}. The balance is unknown, not zero, and no total includes it.",
    assets.join(", "),
  );
}

/** `Live`, the label of a live account that has one of its own, or `Practice`: the tooltip names the host. */
function shortName({ account, name, label }: Watching): string {
  return account.kind === "live" ? (label ?? vscode.l10n.t("Live")) : name;
}

function figureText(venue: Watching, wallet: Wallet, quote: string, input: BalanceInput): string {
  const { figure, tickers, elsewhere, today, amounts } = input;
  const name = shortName(venue);
  switch (figure) {
    case "off":
      return name;
    case "available":
      return freeText(venue, wallet, quote, amounts);
    case "total": {
      const { total } = portfolioOf(wallet, tickers, quote, elsewhere);
      return vscode.l10n.t("{0} total {1}", name, `${amounts.shortBalance(total, quote)} ${quote}`);
    }
    case "todaysResult":
      return today ? `${name} ${todayWithAsset(today, amounts)}` : name;
  }
}

/** The assets without a value, which the figure of the status bar leaves out. */
function leftOutOf(wallet: Wallet, quote: string, input: BalanceInput): readonly string[] {
  const { figure, tickers, elsewhere, today } = input;
  if (figure === "todaysResult") return today?.leftOut ?? [];
  return figure === "total" ? assetsWithoutValue(portfolioOf(wallet, tickers, quote, elsewhere)) : [];
}

/** The available balance. What open orders reserve is in the tooltip. */
function freeText(venue: Watching, wallet: Wallet, quote: string, amounts: AmountText): string {
  const free = freeOf(wallet, quote);
  return free
    ? `${shortName(venue)} ${amounts.shortBalance(free, quote)} ${quote}`
    : vscode.l10n.t("{0}: {1} balance unknown", shortName(venue), quote);
}

/** A service may list a balance for each of hundreds of assets, and most are zero. */
const MOST_ROWS = 10;

/** The assets of a wallet: the one of the status bar, unknown balances, then the most valuable; none that is empty. */
function listedAssets(wallet: Wallet, { tickers, quote }: BalanceInput): readonly string[] {
  const { holdings } = portfolioOf(wallet, tickers, quote ?? "");
  const first = quote !== undefined && wallet.has(quote) ? [quote] : [];
  return [...new Set([...first, ...unreadableAssets(wallet), ...holdings.map(({ asset }) => asset)])];
}

function appendWallet(tooltip: vscode.MarkdownString, wallet: Wallet, input: BalanceInput): void {
  const {
    balance: { readAt },
    quote,
    amounts,
  } = input;
  const assets = listedAssets(wallet, input);
  const rows = assets.slice(0, MOST_ROWS).flatMap((asset) => {
    const balance = wallet.get(asset);
    return balance ? [[asset, balance] as const] : [];
  });
  const hasReserved = rows.some(([, balance]) => balance !== "unreadable" && balance.reserved.gt("0"));
  const headings = [
    vscode.l10n.t("available"),
    ...(hasReserved ? [vscode.l10n.t("reserved"), vscode.l10n.t("total")] : []),
  ];
  tooltip.appendMarkdown(`| | ${headings.join(" | ")} |\n|:--|${"--:|".repeat(headings.length)}\n`);
  for (const [asset, balance] of rows) {
    tooltip.appendMarkdown("| ");
    tooltip.appendText(sanitizeText(asset));
    const cells =
      balance === "unreadable"
        ? [vscode.l10n.t("unknown"), ...(hasReserved ? ["", ""] : [])]
        : [balance.available, ...(hasReserved ? [balance.reserved, totalOf(balance)] : [])].map((held) =>
            amounts.balance(held, asset, quote),
          );
    tooltip.appendMarkdown(` | ${cells.join(" | ")} |\n`);
  }
  const more = assets.length - rows.length;
  if (more > 0) tooltip.appendMarkdown("\n").appendText(vscode.l10n.t("Other assets: {0}", more));
  const unreadable = unreadableAssets(wallet);
  if (unreadable.length > 0) {
    tooltip.appendMarkdown("\n\n");
    tooltip.appendText(sanitizeText(unreadableText(unreadable)));
  }
  if (readAt === undefined) return;
  tooltip.appendMarkdown("\n\n");
  tooltip.appendText(vscode.l10n.t("Updated {0}", timeText(readAt)));
}
