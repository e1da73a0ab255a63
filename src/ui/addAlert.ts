import * as vscode from "vscode";
import { type Alerts, AlertsError } from "../desk/alerts.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import {
  type Alert,
  type AlertProblem,
  type AlertRule,
  LONGEST_MINUTES,
  minutesProblem,
  percentProblem,
  priceProblem,
} from "../market/alert.ts";
import { priceText } from "../market/decimal.ts";
import type { Ticker } from "../market/ticker.ts";
import { alertsProblemText } from "./alertText.ts";
import { rateText } from "./numberText.ts";
import type { PickPair } from "./watching.ts";

export interface AddAlertParts {
  readonly alerts: Alerts;
  readonly tickers: TickerFeed;
  readonly pickPair: PickPair;
}

/** What a caller knows already: the row's pair, a price pointed at in a chart. */
export interface AlertWish {
  readonly symbol?: string | undefined;
  readonly price?: string | undefined;
}

/** Command "Alert Me": asks for what is not given, one question after the other. Undefined where it was left. */
export async function addAlert(
  { alerts, tickers, pickPair }: AddAlertParts,
  wish: AlertWish,
): Promise<Alert | undefined> {
  const ticker =
    wish.symbol === undefined ? await pickPair(vscode.l10n.t("Alert Me")) : tickers.ticker(wish.symbol);
  if (!ticker) return undefined;
  const rule = await askRule(ticker, wish.price);
  if (!rule) return undefined;
  const repeats = await askRepeats(ticker);
  if (repeats === undefined) return undefined;
  try {
    return alerts.add(ticker.symbol, rule, repeats);
  } catch (error) {
    const reason = error instanceof AlertsError ? alertsProblemText(error.problem) : messageOf(error);
    void vscode.window.showErrorMessage(
      vscode.l10n.t("The alert could not be kept, so nothing watches for it: {0}", reason),
    );
    return undefined;
  }
}

/** A price pointed at lies on one side of the last one: an alert on it that waits for the other has come already. */
async function askRule(ticker: Ticker, price: string | undefined): Promise<AlertRule | undefined> {
  const side =
    price === undefined
      ? undefined
      : (["above", "below"] as const).find((kind) => !priceProblem(kind, price, ticker.last));
  const chosen = await vscode.window.showQuickPick(
    [
      { waitFor: "above", label: `$(arrow-up) ${vscode.l10n.t("When the price rises to…")}` } as const,
      { waitFor: "below", label: `$(arrow-down) ${vscode.l10n.t("When the price falls to…")}` } as const,
      {
        waitFor: "change",
        label: `$(arrow-both) ${vscode.l10n.t("When the price moves by a percentage…")}`,
      } as const,
    ].filter(({ waitFor }) => side === undefined || waitFor === side || waitFor === "change"),
    {
      title: titleOf(ticker),
      placeHolder: vscode.l10n.t("Last price: {0} {1}", rateText(ticker.last, ticker), ticker.pair.quote),
    },
  );
  if (!chosen) return undefined;
  const kind = chosen.waitFor;
  if (kind !== "change") {
    const typed = await ask({
      title: titleOf(ticker),
      prompt: vscode.l10n.t("Price in {0} per {1}", ticker.pair.quote, ticker.pair.base),
      value: (side && price) ?? "",
      placeHolder: priceText(ticker.last),
      problem: (text) => priceProblem(kind, text, ticker.last),
    });
    return typed === undefined ? undefined : { kind, price: typed };
  }
  const percent = await ask({
    title: titleOf(ticker),
    prompt: vscode.l10n.t("Up or down by how many percent"),
    value: "5",
    problem: percentProblem,
  });
  if (percent === undefined) return undefined;
  const minutes = await ask({
    title: titleOf(ticker),
    prompt: vscode.l10n.t("Within how many minutes"),
    value: "15",
    problem: minutesProblem,
  });
  return minutes === undefined ? undefined : { kind, percent, minutes: Number(minutes) };
}

async function askRepeats(ticker: Ticker): Promise<boolean | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      { repeats: false, label: vscode.l10n.t("Once"), detail: vscode.l10n.t("You arm it again by hand.") },
      {
        repeats: true,
        label: vscode.l10n.t("Every time"),
        detail: vscode.l10n.t("It arms itself again once the price has moved back."),
      },
    ],
    { title: titleOf(ticker), placeHolder: vscode.l10n.t("How often") },
  );
  return chosen?.repeats;
}

async function ask(question: {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  readonly placeHolder?: string;
  readonly problem: (text: string) => AlertProblem | undefined;
}): Promise<string | undefined> {
  const { problem, ...options } = question;
  const typed = await vscode.window.showInputBox({
    ...options,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const found = problem(text.trim());
      return found && problemText(found);
    },
  });
  return typed?.trim();
}

function problemText(problem: AlertProblem): string {
  switch (problem) {
    case "notANumber":
      return vscode.l10n.t("Use digits and one decimal point, like 1234.56.");
    case "zero":
      return vscode.l10n.t("This must be more than zero.");
    case "alreadyThere":
      return vscode.l10n.t(
        "The last price is already there. For a rise choose a higher price, for a fall a lower one.",
      );
    case "tooMuch":
      return vscode.l10n.t("Less than 100, please: a price cannot fall by more.");
    case "notMinutes":
      return vscode.l10n.t("Whole minutes, from 1 to {0}.", LONGEST_MINUTES);
  }
}

function titleOf({ symbol }: Ticker): string {
  return vscode.l10n.t("Alert Me: {0}", symbol);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
