import * as vscode from "vscode";
import { Conversions } from "../../market/holdings/conversions.ts";
import type { Portfolio } from "../../market/holdings/portfolio.ts";
import { valueOf, type ValueSnapshot } from "../../market/holdings/valueSnapshot.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { PageTable } from "../../protocol/portfolioPage.ts";
import type { AmountText } from "../text/amountText.ts";
import { momentText } from "../text/timeText.ts";

export interface AccountsInput {
  readonly portfolio: Portfolio | undefined;
  /** The name of the window's account. */
  readonly account: string;
  /** The other live accounts of this computer and their newest recorded values. */
  readonly others: readonly { readonly label: string; readonly snapshot: ValueSnapshot | undefined }[];
  readonly tickers: readonly Ticker[];
  readonly amounts: AmountText;
  readonly now: number;
}

const ZERO = new Decimal("0");

/**
 * What each account is worth and their sum, with what is elsewhere, which belongs to no account, once. Other accounts count as
 * last recorded, at today's rate between the assets. Without other accounts it has no rows.
 */
export function accountsTable({
  portfolio,
  account,
  others,
  tickers,
  amounts,
  now,
}: AccountsInput): PageTable {
  const headings = [vscode.l10n.t("Account"), vscode.l10n.t("Value"), vscode.l10n.t("Recorded")];
  if (!portfolio || others.length === 0) return { headings, rows: [] };
  const { quote, total } = portfolio;
  const conversions = new Conversions(tickers, quote);
  const elsewhere = portfolio.elsewhere.reduce((sum, { value }) => sum.plus(value ?? ZERO), ZERO);
  const current = vscode.l10n.t("now");
  const recorded = others.map(({ label, snapshot }) => {
    if (!snapshot)
      return { label, value: undefined, when: vscode.l10n.t("not in the last 30 days"), path: "" };
    const value = valueOf(snapshot.balances);
    const isSame = snapshot.quote === quote;
    const conversion = isSame ? undefined : conversions.of(snapshot.quote);
    return {
      label,
      value: isSame ? value : conversion?.convert(value),
      when: momentText(snapshot.at, now),
      path: conversion?.path.join(" → ") ?? "",
    };
  });
  const all = [
    { label: account, value: total.minus(elsewhere), when: current, path: "" },
    ...recorded,
    ...(portfolio.elsewhere.length === 0
      ? []
      : [{ label: vscode.l10n.t("Elsewhere"), value: elsewhere, when: current, path: "" }]),
  ];
  const leftOut = all.flatMap(({ label, value }) => (value ? [] : label));
  const sum = all.reduce((before, { value }) => before.plus(value ?? ZERO), ZERO);
  return {
    headings,
    rows: [
      ...all.map(({ label, value, when }) => [label, value ? amounts.value(value) : "–", when]),
      [
        vscode.l10n.t("All accounts"),
        amounts.value(sum),
        leftOut.length === 0 ? "" : vscode.l10n.t("without {0}", leftOut.join(", ")),
      ],
    ],
    paths: all.map(({ path }) => path),
  };
}
