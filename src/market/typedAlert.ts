import {
  type AlertProblem,
  type AlertRule,
  minutesProblem,
  percentProblem,
  priceProblem,
  volumeProblem,
} from "./alertRule.ts";
import { Decimal, plainText } from "./numbers/decimal.ts";
import { meaningsOf, plainOf, plainSigns } from "./numbers/typedDecimal.ts";
import { unitNames } from "./numbers/unitNames.ts";
import type { Ticker } from "./ticker.ts";

/** What a typed text asks for: rules to choose from, or why there are none. */
export type TypedAlert = { readonly rules: readonly AlertRule[] } | { readonly problem: AlertProblem };

/** `5%`, `5% 60`, `5% 60 min`, `5% 1 h`. A change counts in both directions, so a sign says nothing. */
const MOVE = /^[+-]?(?<percent>[^%]+)%\s*(?:(?<span>\d+)\s*(?<unit>m|min|h)?)?$/i;

/** `2,900,000 +5%`, `2,900,000 - 5%`: a price as far above or below another one. */
const FROM = /^(?<price>[^%+-]*\d[^%+-]*)(?<sign>[+-])(?<percent>[^%+-]+)%$/;

/** `2,900,000 - 3,000,000`: back between two prices. */
const RANGE = /^(?<low>[^-–]*\d[^-–]*)[-–](?<high>[^-–]*\d[^-–]*)$/;

/** `+5%`, `-5%`, or `5%` for both. */
const SHARE = /^(?<sign>[+-]?)(?<percent>[^%+-]+)%$/;

/** `volume 500m`, `vol > 1,000 BTC` */
const VOLUME = /^vol(?:ume)?(?![a-z])[\s:=>≥]*(?<figure>.*)$/i;

const USUAL_MINUTES = 15;

/**
 * Reads a price or a percentage. Text with several meanings, such as `5,000`, gives a rule for each. The side of a price
 * is that of the last price; without one, both are offered. `units`: names of the quote, which a price may have.
 */
export function readTypedAlert(
  text: string,
  last: number | undefined,
  units: readonly string[] = [],
): TypedAlert {
  const typed = plainSigns(text);
  const from = FROM.exec(typed)?.groups;
  if (from) return levelsOf(from, last, units);
  const { percent, span, unit } = MOVE.exec(typed)?.groups ?? {};
  if (percent !== undefined) return moveOf(plainOf(percent), span, unit);
  const within = RANGE.exec(typed)?.groups;
  if (within) return rangesOf(within, units);
  const read = meaningsOf(typed, { units }).map((price) => sidesOf(price, last));
  const rules = read.flatMap((each) => ("rules" in each ? each.rules : []));
  return rules.length > 0 ? { rules } : (read[0] ?? { problem: "notANumber" });
}

/** The figure of a text about a volume; undefined for one about prices. */
export function typedVolume(text: string): string | undefined {
  return VOLUME.exec(plainSigns(text))?.groups?.["figure"];
}

/** Reads the figure of a volume, in the asset that it names, or else in each asset of the pair that it can still rise to. */
export function readTypedVolume(figure: string, ticker: Ticker): TypedAlert {
  const { base, quote } = ticker.pair;
  const read = [base, quote]
    .flatMap((asset) =>
      meaningsOf(figure, { units: unitNames(asset) }).map(
        (volume) => ({ kind: "volume", volume, asset }) as const,
      ),
    )
    .map((rule) => ({ rule, problem: volumeProblem(rule, ticker) }));
  const rules = read.filter(({ problem }) => problem === undefined).map(({ rule }) => rule);
  return rules.length > 0 ? { rules } : { problem: read[0]?.problem ?? "notANumber" };
}

/**
 * The rules that a percentage means as a distance from the average cost of the asset, with prices of `places` decimals. None
 * for another text, and at the last price.
 */
export function rulesFromCost(
  text: string,
  cost: Decimal,
  last: number | undefined,
  places: number,
): readonly AlertRule[] {
  const { sign, percent = "" } = SHARE.exec(plainSigns(text))?.groups ?? {};
  const share = plainOf(percent.trim());
  if (percentProblem(share)) return [];
  return (["plus", "minus"] as const).flatMap((direction) => {
    if (sign === (direction === "plus" ? "-" : "+")) return [];
    const price = cost.times(new Decimal("100")[direction](share)).div("100");
    const read = sidesOf(plainText(price.round(places, Decimal.roundHalfUp)), last);
    return "rules" in read ? read.rules : [];
  });
}

function moveOf(percent: string, span: string | undefined, unit = "m"): TypedAlert {
  const minutes = span === undefined ? USUAL_MINUTES : Number(span) * (unit.toLowerCase() === "h" ? 60 : 1);
  const problem = percentProblem(percent) ?? minutesProblem(String(minutes));
  return problem ? { problem } : { rules: [{ kind: "change", percent, minutes }] };
}

function levelsOf(
  { price = "", sign, percent = "" }: Partial<Record<string, string>>,
  last: number | undefined,
  units: readonly string[],
): TypedAlert {
  const share = plainOf(percent.trim());
  const problem = percentProblem(share);
  if (problem) return { problem };
  const factor = new Decimal("100")[sign === "+" ? "plus" : "minus"](share).div("100");
  const read = meaningsOf(price.trim(), { units }).map((each) =>
    sidesOf(plainText(new Decimal(each).times(factor)), last),
  );
  const rules = read.flatMap((each) => ("rules" in each ? each.rules : []));
  return rules.length > 0 ? { rules } : (read[0] ?? { problem: "notANumber" });
}

function rangesOf(
  { low = "", high = "" }: Partial<Record<string, string>>,
  units: readonly string[],
): TypedAlert {
  const [lows, highs] = [low, high].map((each) => meaningsOf(each.trim(), { units }));
  const rules = (lows ?? []).flatMap((from) =>
    (highs ?? [])
      .filter((to) => Number(from) > 0 && Number(from) < Number(to))
      .map((to) => ({ kind: "within", low: from, high: to }) as const),
  );
  return rules.length > 0 ? { rules } : { problem: "notANumber" };
}

function sidesOf(price: string, last: number | undefined): TypedAlert {
  const sides = (["above", "below"] as const).map((kind) => ({
    rule: { kind, price },
    problem: priceProblem(kind, price, last),
  }));
  const rules = sides.filter(({ problem }) => problem === undefined).map(({ rule }) => rule);
  const [{ problem = undefined } = {}] = sides;
  return rules.length > 0 || problem === undefined ? { rules } : { problem };
}

/** The text that asks for a rule. */
export function typedTextOf(rule: AlertRule): string {
  if (rule.kind === "within") return `${rule.low} - ${rule.high}`;
  if (rule.kind === "volume") return `volume ${rule.volume} ${rule.asset}`;
  return rule.kind === "change" ? `${rule.percent}% ${rule.minutes}` : rule.price;
}
