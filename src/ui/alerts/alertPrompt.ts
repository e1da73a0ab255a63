import * as vscode from "vscode";
import type { Alerts } from "../../desk/alerts/alerts.ts";
import type { Desk } from "../../desk/desk.ts";
import {
  type Alert,
  alertFigure,
  type AlertProblem,
  type AlertRule,
  LONGEST_MINUTES,
  priceProblem,
} from "../../market/alertRule.ts";
import { knownCost } from "../../desk/portfolio/knownTrades.ts";
import { Decimal, plainText, quotedIfKnown } from "../../market/numbers/decimal.ts";
import { unitNames } from "../../market/numbers/unitNames.ts";
import { pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import {
  readTypedAlert,
  readTypedVolume,
  rulesFromCost,
  typedTextOf,
  typedVolume,
} from "../../market/typedAlert.ts";
import type { Markets } from "../markets/markets.ts";
import { chooseTyped } from "../quickInput.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { changeText, exactRateText, rateText, volumeText } from "../text/numberText.ts";
import { figureProblemText } from "../text/typedFigure.ts";
import { missedText, needsWindowText, ruleText, turnsOnAgainText } from "./alertText.ts";
import { saveOrReport } from "./saveOrReport.ts";

interface PromptDesk {
  readonly tickers: Pick<Desk["tickers"], "ticker" | "placesOf">;
  readonly venue: Pick<Desk["venue"], "signedIn">;
  readonly orders: Pick<Desk["orders"], "trades">;
  readonly elsewhere: Pick<Desk["elsewhere"], "list">;
  readonly log: Pick<Desk["log"], "error">;
}

/** Where the command was invoked: a row's pair, or a price under the pointer in a chart. */
export interface AlertRequest {
  readonly symbol?: string | undefined;
  readonly price?: string | undefined;
}

type Answers = Pick<Alert, "rule" | "repeats">;

/**
 * Command "Add Alert…": one box for a price or a percentage. A price from a chart needs no box: the alert fires once
 * when the last price reaches it. Undefined if cancelled.
 */
export async function addAlert(
  desk: PromptDesk,
  alerts: Alerts,
  markets: Pick<Markets, "pickPair">,
  request: AlertRequest,
): Promise<Alert | undefined> {
  const { tickers, log } = desk;
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
  const answers = await askRule(desk, ticker, title);
  return answers && saveOrReport(log, () => alerts.add(ticker.symbol, answers.rule, answers.repeats));
}

/**
 * Command "Edit Alert…": the same box, prefilled with the alert's current values. Undefined if cancelled.
 */
export async function editAlert(
  desk: PromptDesk,
  alerts: Alerts,
  { id, symbol, rule, repeats }: Alert,
): Promise<Alert | undefined> {
  const { tickers, log } = desk;
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
  const answers = await askRule(desk, ticker, title, { rule, repeats });
  if (!answers) return undefined;
  return saveOrReport(
    log,
    () => alerts.edit(id, answers.rule, answers.repeats),
    (reason) => vscode.l10n.t("The change was not saved. {0}", reason),
  );
}

/**
 * The rule for a price from a chart; undefined if the price is invalid or already reached, or the pair has not traded.
 */
function ruleAt(price: string, { last }: Ticker): AlertRule | undefined {
  if (last === undefined) return undefined;
  const kind = (["above", "below"] as const).find((each) => !priceProblem(each, price, last));
  return kind && { kind, price };
}

interface RuleItem extends vscode.QuickPickItem {
  readonly id: string;
  /** Undefined for an error and for an example. */
  readonly answers?: Answers;
  /** The text of an example. */
  readonly example?: string;
}

/** Asks in one box, whose entries follow the typed text: once or every time, the current choice first. */
async function askRule(
  desk: PromptDesk,
  listed: Ticker,
  title: string,
  existing?: Answers,
): Promise<Answers | undefined> {
  const { tickers } = desk;
  const { symbol } = listed;
  const units = unitNames(listed.pair.quote);
  const itemsFor = (text: string): readonly RuleItem[] => {
    if (text.trim() === "") return exampleItems(listed, tickers.placesOf(listed));
    // The price moves on while the user types.
    const ticker = tickers.ticker(symbol) ?? listed;
    const places = tickers.placesOf(ticker);
    const volume = typedVolume(text);
    const typed =
      volume === undefined ? readTypedAlert(text, ticker.last, units) : readTypedVolume(volume, ticker);
    if ("problem" in typed) {
      const { problem } = typed;
      const said =
        problem === "notANumber"
          ? figureProblemText(volume ?? text, { units })
          : problemText(problem, ticker, places);
      return [{ id: "problem", label: `$(error) ${said}` }];
    }
    const cost = knownCost(desk, ticker.pair, places);
    const fromCost = cost ? rulesFromCost(text, cost, ticker.last, places) : [];
    const found = [
      ...typed.rules.map((rule) => ({ rule, origin: "" })),
      ...fromCost.map((rule) => ({ rule, origin: cost ? costText(rule, cost, places) : "" })),
    ];
    return found.flatMap(({ rule, origin }, index) =>
      answersFor(rule, ticker.last, existing).map((answers) => ({
        id: `${index} ${answers.rule.kind} ${answers.repeats}`,
        ...frequencyText(answers),
        description: [ruleText(answers.rule, places), distanceText(answers.rule, ticker), origin]
          .filter(Boolean)
          .join(" "),
        answers,
      })),
    );
  };
  const chosen = await chooseTyped({
    title,
    placeHolder: vscode.l10n.t("Price in {0}, percentage or 24 h volume", listed.pair.quote),
    value: existing ? typedTextOf(existing.rule) : "",
    itemsFor,
    isAnswer: ({ answers }) => answers !== undefined,
    typedBy: ({ example }) => example,
  });
  return chosen?.answers;
}

/** A text for each kind of rule, and where alerts fire. */
function exampleItems({ last, pair }: Ticker, places: number): readonly RuleItem[] {
  const price = quotedIfKnown(last) ?? "1000";
  const higher = plainText(new Decimal(price).times("1.1").round(places, Decimal.roundHalfUp));
  const examples: readonly (readonly [string, string])[] = [
    [higher, vscode.l10n.t("when the price reaches this, once or every time")],
    [`${price} +5%`, vscode.l10n.t("when the price is 5% above this one")],
    ["-5%", vscode.l10n.t("when it moves by 5% in 15 min, or is 5% below your average cost")],
    [`${price} - ${higher}`, vscode.l10n.t("when the price comes back between these")],
    [`volume 10m ${pair.quote}`, vscode.l10n.t("when the 24 h volume rises to this")],
  ];
  return [
    ...examples.map(([example, description]) => ({ id: example, label: example, description, example })),
    { id: "window", label: `$(info) ${needsWindowText()}`, detail: missedText() },
  ];
}

/** What a typed rule can become, the current choice first. Both directions count every time, because once they are the nearest one. */
function answersFor(rule: AlertRule, last: number | undefined, existing?: Answers): readonly Answers[] {
  const answers: Answers[] = [
    { rule, repeats: false },
    { rule, repeats: true },
  ];
  if ((rule.kind === "above" || rule.kind === "below") && last !== undefined) {
    const crosses = { kind: "crosses", price: rule.price, towards: rule.kind } as const;
    answers.push({ rule: crosses, repeats: true });
  }
  const isCurrent = (each: Answers): boolean =>
    each.repeats === existing?.repeats &&
    (each.rule.kind === "crosses") === (existing.rule.kind === "crosses");
  return answers.sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)));
}

/** Without the typed figure, because the editor sorts entries by how their labels match. */
function frequencyText({ rule, repeats }: Answers): { readonly label: string; readonly detail: string } {
  if (rule.kind === "crosses")
    return {
      label: vscode.l10n.t("Every crossing"),
      detail: vscode.l10n.t("In either direction, after the price moved away from the level."),
    };
  return repeats
    ? { label: vscode.l10n.t("Every time"), detail: turnsOnAgainText(rule) }
    : { label: vscode.l10n.t("Once"), detail: vscode.l10n.t("Stays off until you turn it on.") };
}

/** `(+0.18%)`: how far a price or volume is from the current one. */
function distanceText(rule: AlertRule, ticker: Ticker): string {
  if (rule.kind === "change" || rule.kind === "within") return "";
  const current = alertFigure(rule, ticker) ?? 0;
  if (current <= 0) return "";
  return `(${changeText((Number(rule.kind === "volume" ? rule.volume : rule.price) / current - 1) * 100)})`;
}

/** Says that a price was computed from the average cost. */
function costText(rule: AlertRule, cost: Decimal, places: number): string {
  if (rule.kind !== "above" && rule.kind !== "below") return "";
  const from = exactRateText(cost, places);
  return Number(rule.price) > Number(plainText(cost))
    ? vscode.l10n.t("above your average cost of {0}", from)
    : vscode.l10n.t("below your average cost of {0}", from);
}

function problemText(problem: Exclude<AlertProblem, "notANumber">, ticker: Ticker, places: number): string {
  switch (problem) {
    case "zero":
      return vscode.l10n.t("Must be above zero.");
    case "alreadyThere":
      return vscode.l10n.t("This is the last price, {0}.", rateText(ticker.last, places));
    case "tooMuch":
      return vscode.l10n.t("Must be below 100. A price cannot fall by 100% or more.");
    case "notMinutes":
      return vscode.l10n.t("Use whole minutes from 1 to {0}.", LONGEST_MINUTES);
    case "noVolume":
      return vscode.l10n.t("The exchange reports no volume of this pair.");
    case "volumeReached":
      return vscode.l10n.t(
        "The 24 h volume is already there: {0}, {1}.",
        volumeText(ticker.baseVolume, ticker.pair.base),
        volumeText(ticker.quoteVolume, ticker.pair.quote),
      );
  }
}
