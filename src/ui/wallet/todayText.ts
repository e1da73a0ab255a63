import * as vscode from "vscode";
import type { TodaysResult } from "../../desk/portfolio/valueRecorder.ts";
import type { AmountText } from "../text/amountText.ts";
import { resultText } from "./costText.ts";
import { incompleteText } from "./portfolioText.ts";
import { momentText } from "../text/timeText.ts";

/** Today's result, short enough for a view's header, which has the asset: "+1,234.50 today". */
export function todayText({ result, leftOut }: TodaysResult, amounts: AmountText): string {
  const text = vscode.l10n.t("{0} today", amounts.value(result, "exceptZero"));
  return incompleteText(text, leftOut);
}

/** The same with its asset. */
export function todayWithAsset({ result, quote }: TodaysResult, amounts: AmountText): string {
  return vscode.l10n.t("{0} today", `${amounts.value(result, "exceptZero")} ${quote}`);
}

/** The labelled result of today, and since when; empty if it is unknown. */
export function todayFigures(
  today: TodaysResult | undefined,
  amounts: AmountText,
  now: number,
): [string, string][] {
  if (!today) return [];
  const { result, from, quote, since, leftOut } = today;
  const text = incompleteText(resultText(result, from, quote, amounts), leftOut);
  return [[vscode.l10n.t("Today"), vscode.l10n.t("{0}, since {1}", text, momentText(since, now))]];
}
