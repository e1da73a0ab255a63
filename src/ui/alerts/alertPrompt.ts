import * as vscode from "vscode";
import type { Alerts } from "../../desk/alerts/alerts.ts";
import type { Desk } from "../../desk/desk.ts";
import {
  type Alert,
  type AlertProblem,
  type AlertRule,
  LONGEST_MINUTES,
  minutesProblem,
  percentProblem,
  priceProblem,
} from "../../market/alertRule.ts";
import { quotedIfKnown } from "../../market/numbers/decimal.ts";
import { unitNames } from "../../market/numbers/unitNames.ts";
import { pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { Markets } from "../markets/markets.ts";
import { ask, choose } from "../quickInput.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { rateText } from "../text/numberText.ts";
import { figureProblemText, readFigure, understoodText } from "../text/typedFigure.ts";
import { needsWindowText, ruleText } from "./alertText.ts";
import { saveOrReport } from "./saveOrReport.ts";

interface PromptDesk {
  readonly tickers: Pick<Desk["tickers"], "ticker" | "placesOf">;
  readonly log: Pick<Desk["log"], "error">;
}

/** Where the command was invoked: a row's pair, or a price under the pointer in a chart. */
export interface AlertRequest {
  readonly symbol?: string | undefined;
  readonly price?: string | undefined;
}

interface Start {
  readonly title: string;
  /** The last price, with the decimals of its pair. */
  readonly last: string;
  readonly existing?: Answers;
}

type Answers = Pick<Alert, "rule" | "repeats">;

/**
 * Command "Add Alert…": prompts for each missing part. A price from a chart needs no prompt: the alert fires once when
 * the last price reaches it. Undefined if cancelled.
 */
export async function addAlert(
  { tickers, log }: PromptDesk,
  alerts: Alerts,
  markets: Pick<Markets, "pickPair">,
  request: AlertRequest,
): Promise<Alert | undefined> {
  const { symbol, price } = request;
  const ticker =
    symbol === undefined ? await markets.pickPair(vscode.l10n.t("Add Alert")) : tickers.ticker(symbol);
  if (!ticker) return undefined;
  const pointed = price === undefined ? undefined : ruleAt(price, ticker);
  if (pointed) {
    const added = saveOrReport(log, () => alerts.add(ticker.symbol, pointed, false));
    if (added)
      showStatusMessage(
        [
          vscode.l10n.t(
            "Alert added: {0} {1}, once.",
            pairName(ticker.pair),
            ruleText(pointed, tickers.placesOf(ticker)),
          ),
          needsWindowText(),
        ].join(" "),
      );
    return added;
  }
  const title = vscode.l10n.t("Add Alert: {0}", pairName(ticker.pair));
  const answers = await askAll(ticker, { title, last: lastText(tickers, ticker) });
  return answers && saveOrReport(log, () => alerts.add(ticker.symbol, answers.rule, answers.repeats));
}

/**
 * Command "Edit Alert…": the same prompts, prefilled with the alert's current values. Undefined if cancelled.
 */
export async function editAlert(
  { tickers, log }: PromptDesk,
  alerts: Alerts,
  { id, symbol, rule, repeats }: Alert,
): Promise<Alert | undefined> {
  const ticker = tickers.ticker(symbol);
  if (!ticker) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "{0} has no price at the moment, so the alert cannot be edited. Refresh the markets first.",
        symbol,
      ),
    );
    return undefined;
  }
  const title = vscode.l10n.t("Edit Alert: {0}", pairName(ticker.pair));
  const answers = await askAll(ticker, {
    title,
    last: lastText(tickers, ticker),
    existing: { rule, repeats },
  });
  if (!answers) return undefined;
  return saveOrReport(
    log,
    () => alerts.edit(id, answers.rule, answers.repeats),
    (reason) => vscode.l10n.t("The change was not saved. {0}", reason),
  );
}

function lastText(tickers: PromptDesk["tickers"], ticker: Ticker): string {
  return rateText(ticker.last, tickers.placesOf(ticker));
}

async function askAll(ticker: Ticker, start: Start): Promise<Answers | undefined> {
  const rule = await askRule(ticker, start);
  if (!rule) return undefined;
  const repeats = await askRepeats(start);
  return repeats === undefined ? undefined : { rule, repeats };
}

/**
 * The rule for a price from a chart; undefined if the price is invalid or already reached, or the pair has not traded.
 */
function ruleAt(price: string, { last }: Ticker): AlertRule | undefined {
  if (last === undefined) return undefined;
  const kind = (["above", "below"] as const).find((each) => !priceProblem(each, price, last));
  return kind && { kind, price };
}

async function askRule(ticker: Ticker, start: Start): Promise<AlertRule | undefined> {
  const { title, last } = start;
  const before = start.existing?.rule;
  const choices: { waitFor: AlertRule["kind"]; label: string }[] = [
    { waitFor: "above", label: `$(arrow-up) ${vscode.l10n.t("When the price rises to…")}` },
    { waitFor: "below", label: `$(arrow-down) ${vscode.l10n.t("When the price falls to…")}` },
    { waitFor: "change", label: `$(arrow-both) ${vscode.l10n.t("When the price moves by a percentage…")}` },
  ];
  const chosen = await choose(
    currentFirst(choices, ({ waitFor }) => waitFor === before?.kind),
    {
      title,
      placeHolder:
        ticker.last === undefined
          ? vscode.l10n.t("This pair has no trades yet.")
          : vscode.l10n.t("Last price: {0} {1}", last, ticker.pair.quote),
    },
  );
  if (!chosen) return undefined;
  const kind = chosen.waitFor;
  if (kind !== "change") {
    const current = before?.kind === kind ? before.price : undefined;
    const typed = await askFigure({
      title,
      last,
      prompt: vscode.l10n.t("Price in {0} per {1}", ticker.pair.quote, ticker.pair.base),
      value: current ?? "",
      placeHolder: quotedIfKnown(ticker.last) ?? "",
      problem: (text) => priceProblem(kind, text, ticker.last),
      kind,
      units: unitNames(ticker.pair.quote),
    });
    return typed === undefined ? undefined : { kind, price: typed };
  }
  const change = before?.kind === "change" ? before : { percent: "5", minutes: 15 };
  const percent = await askFigure({
    title,
    last,
    prompt: vscode.l10n.t("Price move in percent, up or down"),
    value: change.percent,
    problem: percentProblem,
    units: ["%"],
  });
  if (percent === undefined) return undefined;
  const minutes = await askFigure({
    title,
    last,
    prompt: vscode.l10n.t("Time span in minutes"),
    value: String(change.minutes),
    problem: minutesProblem,
  });
  return minutes === undefined ? undefined : { kind, percent, minutes: Number(minutes) };
}

async function askRepeats({ title, existing: before }: Start): Promise<boolean | undefined> {
  const choices = [
    {
      repeats: false,
      label: vscode.l10n.t("Once"),
      detail: vscode.l10n.t("Stays off until you turn it on."),
    },
    {
      repeats: true,
      label: vscode.l10n.t("Every time"),
      detail: vscode.l10n.t("Turns on again when the price moves back."),
    },
  ];
  const chosen = await choose(
    currentFirst(choices, ({ repeats }) => repeats === before?.repeats),
    { title, placeHolder: `${vscode.l10n.t("How often?")} ${needsWindowText()}` },
  );
  return chosen?.repeats;
}

/** Puts the current choice first and marks it, so that Enter keeps it. */
function currentFirst<Choice extends object>(
  choices: readonly Choice[],
  isCurrent: (choice: Choice) => boolean,
): (Choice & { description?: string })[] {
  const current = choices
    .filter(isCurrent)
    .map((choice) => ({ ...choice, description: vscode.l10n.t("now") }));
  return [...current, ...choices.filter((choice) => !isCurrent(choice))];
}

/** Prompts for a number; `problem` validates it. */
async function askFigure(question: {
  readonly title: string;
  readonly last: string;
  readonly prompt: string;
  readonly value: string;
  readonly placeHolder?: string;
  readonly problem: (text: string) => AlertProblem | undefined;
  readonly kind?: "above" | "below";
  /** Names of the figure's unit. */
  readonly units?: readonly string[];
}): Promise<string | undefined> {
  const { problem, last, kind, units = [], ...options } = question;
  const typed = await ask({
    ...options,
    problem: (text) => {
      const found = problem(readFigure(text, { units }));
      if (found === "notANumber") return figureProblemText(text, { units });
      return found && problemText(found, last, kind);
    },
    understood: (text) => understoodText(text, { units }),
  });
  return typed === undefined ? undefined : readFigure(typed, { units });
}

function problemText(
  problem: Exclude<AlertProblem, "notANumber">,
  last: string,
  kind: "above" | "below" | undefined,
): string {
  switch (problem) {
    case "zero":
      return vscode.l10n.t("Must be above zero.");
    case "alreadyThere":
      return kind === "above"
        ? vscode.l10n.t("Must be above the last price, {0}.", last)
        : vscode.l10n.t("Must be below the last price, {0}.", last);
    case "tooMuch":
      return vscode.l10n.t("Must be below 100. A price cannot fall by 100% or more.");
    case "notMinutes":
      return vscode.l10n.t("Use whole minutes from 1 to {0}.", LONGEST_MINUTES);
  }
}
