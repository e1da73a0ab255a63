import * as vscode from "vscode";
import type { KnownTrades } from "../../desk/portfolio/knownTrades.ts";
import type { TodaysResult } from "../../desk/portfolio/valueRecorder.ts";
import type { DailyValue } from "../../market/holdings/dailyValues.ts";
import type { Holding, HoldingElsewhere, Portfolio, ValuedAmount } from "../../market/holdings/portfolio.ts";
import { realisedByPeriod } from "../../market/holdings/realisedResults.ts";
import type { TradedAmount, ValueSnapshot } from "../../market/holdings/valueSnapshot.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { PageTable, Period, PortfolioContent, Range } from "../../protocol/portfolioPage.ts";
import { localPeriod } from "../../time/localDay.ts";
import type { AmountText } from "../text/amountText.ts";
import { arrowText, shareText } from "../text/numberText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { dayText, momentText } from "../text/timeText.ts";
import { totalResultFigures } from "../wallet/costText.ts";
import { gainText, noWorthText, numberOf, pathText, withoutText } from "../wallet/portfolioText.ts";
import { splitHoldings } from "../wallet/smallBalances.ts";
import { todayFigures } from "../wallet/todayText.ts";
import { unreadableElsewhereText } from "../wallet/elsewhereRows.ts";
import { accountsTable, type AccountsInput } from "./accountsTable.ts";
import { plotLine } from "./plotLine.ts";
import type { LeftOutValues } from "./recordedValues.ts";

export interface PortfolioInput extends AccountsInput {
  readonly elsewhereIsUnreadable: boolean;
  /** Whether there is no balance because no key is set. */
  readonly needsCredentials: boolean;
  readonly today: TodaysResult | undefined;
  readonly trades: KnownTrades;
  /** The recorded values in the range, in the portfolio's asset, with the one of now; and their days. */
  readonly snapshots: readonly ValueSnapshot[];
  readonly days: readonly DailyValue[];
  /** What the trades of that time added and took. */
  readonly traded: readonly TradedAmount[];
  readonly leftOut: LeftOutValues | undefined;
  readonly range: Range;
  readonly period: Period;
  /** The value below which balances are one row. */
  readonly hiddenBelow: Decimal | undefined;
}

const MAX_MOVERS = 5;
/** Rows of results: more than a year of days. */
const MAX_RESULTS = 400;

/** What the Portfolio page shows. */
export function portfolioContent(input: PortfolioInput): PortfolioContent {
  const { portfolio, elsewhereIsUnreadable, today, trades, range, period, amounts, now } = input;
  const notes = [
    portfolio ? withoutText(portfolio) : noPortfolioText(input),
    elsewhereIsUnreadable ? unreadableElsewhereText() : "",
  ];
  const results = portfolio ? totalResultFigures(portfolio, trades, amounts, now) : [];
  const gain = portfolio ? gainText(portfolio, amounts) : "";
  return {
    total: portfolio ? `${amounts.computed(portfolio.total, portfolio.quote)} ${portfolio.quote}` : "–",
    note: notes.filter(Boolean).join(" "),
    figures: [
      ...todayFigures(today, amounts, now),
      ...(gain === "" ? [] : [[vscode.l10n.t("Prices, 24 h"), gain] as const]),
      ...results,
    ].map(([name, value]) => ({ name, value })),
    range,
    ...lineOf(input),
    lineNote: leftOutText(input),
    days: daysOf(input),
    accounts: accountsTable(input),
    assets: assetsOf(input),
    movers: moversOf(portfolio, amounts),
    period,
    ...resultsOf(input),
  };
}

function noPortfolioText({ needsCredentials }: PortfolioInput): string {
  return needsCredentials
    ? vscode.l10n.t("Add what you hold to see its value. With an API key, your balances count too.")
    : vscode.l10n.t("The balance has not been read yet.");
}

function lineOf({
  snapshots,
  traded,
  portfolio,
  amounts,
  now,
}: PortfolioInput): Pick<PortfolioContent, "line" | "lineText" | "scale"> {
  const line = plotLine(snapshots, traded);
  const quote = portfolio?.quote ?? "";
  if (!line || line.from === line.to)
    return {
      line: [],
      scale: undefined,
      lineText: vscode.l10n.t(
        "The line starts with the second value. One is recorded every hour while a window is open.",
      ),
    };
  const value = (amount: Decimal): string => `${amounts.value(amount)} ${quote}`;
  const scale = {
    high: value(line.high),
    low: value(line.low),
    from: momentText(line.from, now),
    to: momentText(line.to, now),
  };
  const lineText = vscode.l10n.t(
    "Value from {0} to {1}: between {2} and {3}. The table below has the value of each day.",
    scale.from,
    scale.to,
    scale.low,
    scale.high,
  );
  return { line: line.parts, scale, lineText };
}

/** Why the line starts late, or has a gap, after another asset was chosen for values; "" if it has all. */
function leftOutText({ leftOut, portfolio, now }: PortfolioInput): string {
  if (!leftOut || !portfolio) return "";
  return vscode.l10n.t(
    "Values until {0} that were recorded in {1} without a price in {2} are left out.",
    momentText(leftOut.until, now),
    leftOut.quotes.join(", "),
    portfolio.quote,
  );
}

function daysOf({ days, amounts }: PortfolioInput): PageTable {
  return {
    headings: [
      vscode.l10n.t("Day"),
      vscode.l10n.t("Value"),
      vscode.l10n.t("Result"),
      vscode.l10n.t("Deposits and withdrawals"),
    ],
    rows: days
      .toReversed()
      .map(({ day, value, result, transferred }) => [
        dayText(day),
        amounts.value(value),
        amounts.value(result, "exceptZero"),
        transferred.eq("0") ? "" : amounts.value(transferred, "exceptZero"),
      ]),
  };
}

function assetsOf({ portfolio, hiddenBelow, amounts }: PortfolioInput): PortfolioContent["assets"] {
  const headings = [
    vscode.l10n.t("Asset"),
    vscode.l10n.t("Quantity"),
    vscode.l10n.t("Value"),
    vscode.l10n.t("Share"),
  ];
  if (!portfolio) return { headings, rows: [], shares: [] };
  const { shown, small } = splitHoldings(portfolio, hiddenBelow);
  const isSmall = ({ value }: HoldingElsewhere): boolean =>
    hiddenBelow !== undefined && value?.lt(hiddenBelow) === true;
  const elsewhere = portfolio.elsewhere.filter((each) => !isSmall(each));
  const folded: readonly ValuedAmount[] = [...small, ...portfolio.elsewhere.filter(isSmall)];
  const all = [...shown, ...elsewhere].sort((one, other) => compareValues(one.value, other.value));
  const rows = all.map((each) => ({
    cells: assetCells(each, portfolio, amounts),
    path: pathText(each.path),
    share: each.share,
  }));
  if (folded.length > 0) {
    const sum = (of: (each: ValuedAmount) => Decimal | undefined): Decimal =>
      folded.reduce((total, each) => total.plus(of(each) ?? "0"), new Decimal("0"));
    const share = folded.every((each) => each.share) ? sum((each) => each.share) : undefined;
    const name =
      folded.length === 1
        ? vscode.l10n.t("1 small balance")
        : vscode.l10n.t("{0} small balances", folded.length);
    rows.push({
      cells: [name, "", amounts.value(sum((each) => each.value)), share ? shareText(share) : "–"],
      path: "",
      share,
    });
  }
  return {
    headings,
    rows: rows.map(({ cells }) => cells),
    paths: rows.map(({ path }) => path),
    shares: rows.map(({ share }) => share && numberOf(share)),
  };
}

function assetCells(
  each: Holding | HoldingElsewhere,
  portfolio: Portfolio,
  amounts: AmountText,
): readonly string[] {
  const { asset, amount, value, share } = each;
  const place = "entry" in each ? sanitizeText(each.entry.place) || vscode.l10n.t("Elsewhere") : "";
  return [
    place === "" ? asset : `${asset} · ${place}`,
    asset === portfolio.quote ? amounts.balance(amount, asset, portfolio.quote) : amounts.rowQuantity(amount),
    value ? amounts.value(value) : noWorthText(each, portfolio),
    share ? shareText(share) : "–",
  ];
}

/** The largest changes of price among what is held. */
function moversOf(portfolio: Portfolio | undefined, amounts: AmountText): PageTable {
  const byAsset = Map.groupBy(
    [...(portfolio?.holdings ?? []), ...(portfolio?.elsewhere ?? [])],
    ({ asset }) => asset,
  );
  const moved = [...byAsset].flatMap(([asset, all]) => {
    const [{ percentChange } = { percentChange: undefined }] = all;
    const gains = all.flatMap(({ gained }) => gained ?? []);
    const gained = gains.reduce((sum, each) => sum.plus(each), new Decimal("0"));
    return percentChange === undefined || asset === portfolio?.quote
      ? []
      : [{ asset, percentChange, gained }];
  });
  return {
    headings: [
      vscode.l10n.t("Asset"),
      vscode.l10n.t("Change, 24 h"),
      vscode.l10n.t("In {0}", portfolio?.quote ?? ""),
    ],
    rows: moved
      .sort((one, other) => Math.abs(other.percentChange) - Math.abs(one.percentChange))
      .slice(0, MAX_MOVERS)
      .map(({ asset, percentChange, gained }) => [
        asset,
        arrowText(percentChange),
        amounts.value(gained, "exceptZero"),
      ]),
  };
}

function resultsOf({
  trades,
  period,
  amounts,
}: PortfolioInput): Pick<PortfolioContent, "results" | "resultsNote"> {
  const results = realisedByPeriod(trades.all, (at) => localPeriod(at, period));
  return {
    results: {
      headings: [periodName(period), vscode.l10n.t("Realised result"), vscode.l10n.t("Asset")],
      rows: results
        .slice(0, MAX_RESULTS)
        .map(({ period: name, quote, result }) => [name, amounts.value(result, "exceptZero"), quote]),
    },
    resultsNote:
      results.length > MAX_RESULTS
        ? vscode.l10n.t(
            "The newest {0} of {1} rows. Export Fills and Results… writes all of them.",
            MAX_RESULTS,
            results.length,
          )
        : "",
  };
}

export function periodName(period: Period): string {
  const names: Readonly<Record<Period, string>> = {
    day: vscode.l10n.t("Day"),
    month: vscode.l10n.t("Month"),
    year: vscode.l10n.t("Year"),
  };
  return names[period];
}

function compareValues(one: Decimal | undefined, other: Decimal | undefined): number {
  if (one && other) return other.cmp(one);
  return Number(one === undefined) - Number(other === undefined);
}
