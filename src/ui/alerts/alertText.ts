import * as vscode from "vscode";
import { type AlertsProblem, MAX_ALERTS } from "../../desk/alerts/alerts.ts";
import type { Alert, AlertRule } from "../../market/alertRule.ts";
import { Decimal, quotedPrice } from "../../market/numbers/decimal.ts";
import { pairName, parseSymbol } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { exactRateText, figures, volumeText } from "../text/numberText.ts";
import { momentText } from "../text/timeText.ts";

/** After this delay, an alert's notification includes the time at which it fired. */
const LATE_MS = 60_000;

export function ruleText(rule: AlertRule, places?: number): string {
  if (rule.kind === "change")
    return vscode.l10n.t("moves by {0}% within {1}", rule.percent, spanText(rule.minutes));
  if (rule.kind === "volume")
    return vscode.l10n.t("24 h volume rises to {0} {1}", figures.quantity(rule.volume), rule.asset);
  if (rule.kind === "within") {
    const [low, high] = [rule.low, rule.high].map((each) => exactRateText(new Decimal(each), places));
    return vscode.l10n.t("comes back between {0} and {1}", low ?? "", high ?? "");
  }
  const price = exactRateText(new Decimal(rule.price), places);
  if (rule.kind === "crosses") return vscode.l10n.t("crosses {0}", price);
  return rule.kind === "above" ? vscode.l10n.t("rises to {0}", price) : vscode.l10n.t("falls to {0}", price);
}

/** The rule in as few letters as show its figures in 300 px; a volume is rounded. */
export function shortRuleText(rule: AlertRule): string {
  if (rule.kind === "change") return vscode.l10n.t("moves {0}% in {1}", rule.percent, spanText(rule.minutes));
  if (rule.kind === "volume")
    return vscode.l10n.t("volume rises to {0}", volumeText(Number(rule.volume), rule.asset));
  if (rule.kind === "within") {
    const [low, high] = [rule.low, rule.high].map((each) => exactRateText(new Decimal(each)));
    return vscode.l10n.t("back in {0}–{1}", low ?? "", high ?? "");
  }
  return ruleText(rule);
}

/** The span of a move: `15 min`, `24 h`. */
function spanText(minutes: number): string {
  return minutes % 60 === 0 ? vscode.l10n.t("{0} h", minutes / 60) : vscode.l10n.t("{0} min", minutes);
}

/** Says when a repeating alert turns on again. */
export function turnsOnAgainText({ kind }: AlertRule): string {
  return kind === "volume"
    ? vscode.l10n.t("Turns on again when the volume falls back.")
    : vscode.l10n.t("Turns on again when the price moves back.");
}

/** Says, where an alert is made, that the exchange knows nothing of it. */
export function needsWindowText(): string {
  return vscode.l10n.t("Alerts fire only while a VS Code window is open.");
}

/** Says what happens to an alert that was missed. */
export function missedText(): string {
  return vscode.l10n.t("Missed alerts fire at the next start, if candles show them.");
}

/** Says that an alert which was turned on does not fire at once; undefined if it waits for its level as usual. */
export function alreadyBeyondText(alert: Alert, ticker: Ticker | undefined): string | undefined {
  return alert.isOn && alert.phase === "waiting"
    ? vscode.l10n.t(
        "{0} is already beyond this level. The alert fires when it has moved back and reaches the level again.",
        alertPairName(alert, ticker),
      )
    : undefined;
}

/** Explains why no alert can be added, and what to do about it. */
export function alertsProblemText(problem: AlertsProblem): string {
  if (problem === "noVenue") {
    return vscode.l10n.t(
      "No exchange is active, so there is no price to watch. Switch to an exchange first.",
    );
  }
  if (problem === "removed")
    return vscode.l10n.t("The alert was removed in another window. Add the alert again.");
  const most = new Intl.NumberFormat(vscode.env.language).format(MAX_ALERTS);
  return vscode.l10n.t("You have reached the limit of {0} alerts. Remove one first.", most);
}

/** The pair of an alert, listed or not. */
export function alertPairName({ symbol }: Alert, ticker: Ticker | undefined): string {
  const pair = ticker?.pair ?? parseSymbol(symbol, "quoteFirst");
  return pair ? pairName(pair) : symbol;
}

/** `isListed`: whether the exchange lists its pair. */
export function alertStateText(alert: Alert, now: number, isListed = true): string {
  const { fired, armedAt, isOn, phase } = alert;
  const last = fired && vscode.l10n.t("fired {0}", momentText(fired.at, now));
  if (!isListed) {
    const text = vscode.l10n.t("pair not listed, cannot fire");
    return last === undefined ? text : `${last}, ${text}`;
  }
  if (!isOn) return last ?? vscode.l10n.t("off");
  if (armedAt > now) return vscode.l10n.t("snoozed until {0}", momentText(armedAt, now));
  if (phase === "waiting") {
    const waits =
      alert.rule.kind === "volume"
        ? vscode.l10n.t("off until the volume falls back")
        : vscode.l10n.t("off until the price moves back");
    return last === undefined ? waits : `${last}, ${waits}`;
  }
  return vscode.l10n.t("on");
}

/** Describes the firing. `ticker` and its price decimals are given if the pair is listed. */
export function firedText(alert: Alert, now: number, ticker?: Ticker, places?: number): string {
  const { rule, fired } = alert;
  if (!fired) return "";
  const exact = exactRateText(new Decimal(quotedPrice(fired.price)), places);
  const price = ticker ? `${exact} ${ticker.pair.quote}` : exact;
  const name = alertPairName(alert, ticker);
  const text = firingText(name, rule, price, places);
  // After a crash an alert may be announced much later.
  if (!fired.isMissed && now - fired.at < LATE_MS) return text;
  const when = momentText(fired.at, now);
  const late = fired.isMissed
    ? vscode.l10n.t("This happened at {0}, while no window watched the price.", when)
    : vscode.l10n.t("This happened at {0}.", when);
  return `${text} ${late}`;
}

function firingText(name: string, rule: AlertRule, price: string, places?: number): string {
  if (rule.kind === "change")
    return vscode.l10n.t(
      "{0} moved by {1}% or more within {2}, to {3}.",
      name,
      rule.percent,
      spanText(rule.minutes),
      price,
    );
  if (rule.kind === "volume")
    return vscode.l10n.t(
      "{0}: the 24 h volume reached {1} {2}, at a price of {3}.",
      name,
      figures.quantity(rule.volume),
      rule.asset,
      price,
    );
  if (rule.kind === "within") {
    const [low, high] = [rule.low, rule.high].map((each) => exactRateText(new Decimal(each), places));
    return vscode.l10n.t(
      "{0} came back to {1} (alert between {2} and {3}).",
      name,
      price,
      low ?? "",
      high ?? "",
    );
  }
  const limit = exactRateText(new Decimal(rule.price), places);
  if (rule.kind === "crosses")
    return vscode.l10n.t("{0} is at {1} (alert on crossing {2}).", name, price, limit);
  return rule.kind === "above"
    ? vscode.l10n.t("{0} rose to {1} (alert at {2}).", name, price, limit)
    : vscode.l10n.t("{0} fell to {1} (alert at {2}).", name, price, limit);
}
