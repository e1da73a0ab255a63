import type { Desk } from "../desk/desk.ts";
import { type Alert, type AlertRule, percentProblem, priceProblem } from "../market/alertRule.ts";
import { quotedIfKnown, quotedPrice } from "../market/numbers/decimal.ts";
import { plainOf } from "../market/numbers/typedDecimal.ts";
import { unitNames } from "../market/numbers/unitNames.ts";
import { pairName } from "../market/pair.ts";
import type { Ticker } from "../market/ticker.ts";
import type { Answer } from "./answer.ts";
import type { Input } from "./inputs.ts";
import { findTicker, isShortName, refreshPrices, sourceOf, unknownPair } from "./marketTools.ts";

/** An alert suggested by an assistant, not yet confirmed by the user. */
export interface AlertSuggestion {
  readonly ticker: Ticker;
  readonly rule: AlertRule;
  readonly repeats: boolean;
}

const MAX_LISTED = 50;

export async function listAlerts(desk: Desk): Promise<Answer> {
  const list = (await desk.alerts()).list.filter(({ symbol }) => symbol.split("_").every(isShortName));
  return {
    data: {
      ...sourceOf(desk),
      alerts: list.slice(0, MAX_LISTED).map((alert) => alertData(desk, alert)),
      ...(list.length > MAX_LISTED && { omitted: list.length - MAX_LISTED }),
    },
  };
}

function alertData(
  { tickers }: Desk,
  { symbol, rule, repeats, isOn, phase, fired }: Alert,
): Record<string, unknown> {
  const ticker = tickers.ticker(symbol);
  return {
    pair: ticker ? pairName(ticker.pair) : symbol,
    ...rule,
    repeats,
    state: !isOn
      ? "off"
      : phase === "armed"
        ? "on"
        : phase === "waiting"
          ? "waits until the price moves back"
          : "fired",
    ...(fired && { firedAt: new Date(fired.at).toISOString(), firedPrice: quotedPrice(fired.price) }),
  };
}

/** Validates a suggested alert. Returns a problem if it cannot be added. Adds nothing. */
export async function suggestAlert(
  desk: Desk,
  { pair, kind, percent, minutes, repeats = false, ...given }: NonNullable<Input<"bidside_alerts">["add"]>,
): Promise<AlertSuggestion | Answer> {
  await refreshPrices(desk);
  const ticker = findTicker(desk, pair);
  if (!ticker) return unknownPair;
  const price = given.price && plainOf(given.price, { units: unitNames(ticker.pair.quote) });
  const { problem } = await desk.alerts();
  if (problem !== undefined) return { problem: "No more alerts can be added." };
  if (kind === "change") {
    if (percent === undefined || minutes === undefined || price !== undefined)
      return { problem: "An alert about a change needs percent and minutes, and no price." };
    const wrong = percentProblem(percent);
    if (wrong !== undefined) return { problem: "percent must be decimal text above 0 and below 100." };
    return { ticker, rule: { kind, percent, minutes }, repeats };
  }
  if (price === undefined || percent !== undefined || minutes !== undefined)
    return { problem: "An alert about a price needs price, and neither percent nor minutes." };
  switch (priceProblem(kind, price, ticker.last)) {
    case undefined:
      return { ticker, rule: { kind, price }, repeats };
    case "alreadyThere":
      return { problem: `The last price is ${quotedIfKnown(ticker.last)}: this alert would fire at once.` };
    default:
      return { problem: "price must be decimal text above 0." };
  }
}
