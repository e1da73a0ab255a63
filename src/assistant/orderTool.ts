import { type Desk, ORDER_PRICE_MS } from "../desk/desk.ts";
import { amountDecimals } from "../market/numbers/amountDecimals.ts";
import { parseDecimal, plainText, truncate } from "../market/numbers/decimal.ts";
import { plainOf } from "../market/numbers/typedDecimal.ts";
import { unitNames } from "../market/numbers/unitNames.ts";
import {
  amountForQuantity,
  assetsOf,
  estimateFill,
  type OrderDraft,
  type OrderProblem,
  type OrderRules,
} from "../market/order.ts";
import { type Pair, pairName } from "../market/pair.ts";
import type { Ticker } from "../market/ticker.ts";
import type { Answer } from "./answer.ts";
import type { Input } from "./inputs.ts";
import { findTicker, noExchange, refreshPrices, sourceOf, unknownPair } from "./marketTools.ts";
import { PREPARED_ORDER_MS, type PreparedDrafts, refusalTexts } from "./preparedDrafts.ts";

/** Problems whose limit reveals an amount of the account. */
const REVEALING_CODES: ReadonlySet<OrderProblem["code"]> = new Set(["aboveAvailable", "aboveMaximum"]);

/**
 * Validates an order as the ticket does and opens the ticket with it. Returns immediately: the user's decision is never reported.
 */
export async function prepareOrder(
  desk: Desk,
  drafts: PreparedDrafts,
  input: Input<"bidside_prepareOrder">,
  areHidden: boolean,
): Promise<Answer> {
  if (drafts.refusal) return { problem: refusalTexts[drafts.refusal] };
  await refreshPrices(desk, ORDER_PRICE_MS);
  const placer = desk.placer;
  const { venue } = desk.venue;
  if (!venue) return noExchange;
  const waitMs = desk.orders.waitMs(venue);
  if (waitMs > 0)
    return { problem: `The exchange's rate limit runs for ${Math.ceil(waitMs / 1000)} more seconds.` };
  const ticker = findTicker(desk, input.pair);
  if (!ticker) return unknownPair;
  const rules = placer.rulesOf(ticker.pair);
  const draft = draftOf(input, ticker, rules);
  if ("problem" in draft) return draft;
  const problems = placer.problems(draft).filter((each) => mayReport(each, areHidden));
  if (problems.length > 0)
    return {
      data: {
        opened: false,
        problems: problems.map((each) => problemData(each, areHidden)),
        ...sourceOf(desk),
      },
    };
  if (placer.isBusy) return { problem: refusalTexts.ticketInUse };
  const { side, symbol, amount, rate, postOnly = false } = draft;
  const prepared = await drafts.prepare({ by: "assistant", side, symbol, amount, rate, postOnly });
  if (typeof prepared === "string") return { problem: refusalTexts[prepared] };
  return {
    data: {
      opened: true,
      draft: prepared.id,
      order: orderData(draft, ticker, rules),
      ...sourceOf(desk),
      note:
        `The order ticket shows this draft. Nothing was sent. Only the user can submit and confirm it. The draft ` +
        `expires after ${PREPARED_ORDER_MS / 1000} seconds. This tool never reports what the user decided.`,
    },
  };
}

/** The draft with its amount, given or computed from the quantity to receive. Figures may have the units of `orderData`. */
function draftOf(
  { side, postOnly, ...given }: Input<"bidside_prepareOrder">,
  { symbol, pair }: Ticker,
  rules: OrderRules,
): OrderDraft | { readonly problem: string } {
  const { amount, quantity } = given;
  if ((amount === undefined) === (quantity === undefined))
    return { problem: "Give either amount (what leaves the account) or quantity (what arrives)." };
  const assets = assetsOf(side, pair);
  const rate = plainOf(given.rate, { units: [rateUnit(pair), ...unitNames(pair.quote)] });
  const rest = { side, symbol, rate, ...(postOnly === true && { postOnly }) };
  if (amount !== undefined) return { ...rest, amount: plainOf(amount, { units: unitNames(assets.amount) }) };
  const wanted = parseDecimal(plainOf(quantity ?? "", { units: unitNames(assets.quantity) }));
  const price = parseDecimal(rate);
  if (!wanted?.gt("0") || !price?.gt("0"))
    return { problem: "quantity and rate must be decimal text above 0, like 0.25." };
  return {
    ...rest,
    amount: plainText(amountForQuantity({ side, quantity: wanted, rate: price }, rules, pair.quote)),
  };
}

/**
 * While amounts are hidden, balance problems are not reported: a model could find the balance by trial. The ticket still shows
 * them to the user.
 */
function mayReport({ code }: OrderProblem, areHidden: boolean): boolean {
  return !(areHidden && REVEALING_CODES.has(code));
}

function problemData({ field, code, limit }: OrderProblem, areHidden: boolean): Record<string, unknown> {
  const hasLimit = limit !== undefined && !(areHidden && REVEALING_CODES.has(code));
  return { field, code, ...(hasLimit && { limit: plainText(limit) }) };
}

function rateUnit({ quote, base }: Pair): string {
  return `${quote} per ${base}`;
}

function orderData(
  { side, amount, rate, postOnly }: OrderDraft,
  { pair }: Ticker,
  rules: OrderRules,
): object {
  const assets = assetsOf(side, pair);
  const [leaves, price] = [parseDecimal(amount), parseDecimal(rate)];
  const fill = leaves && price && estimateFill({ side, amount: leaves, rate: price }, rules, pair.quote);
  return {
    side,
    pair: pairName(pair),
    amount: `${amount} ${assets.amount}`,
    rate: `${rate} ${rateUnit(pair)}`,
    ...(fill && {
      quantityAbout: `${plainText(fill.quantity)} ${assets.quantity}`,
      feeAbout: `${plainText(truncate(fill.fee, amountDecimals(pair.quote)))} ${pair.quote}`,
    }),
    ...(postOnly === true && { postOnly }),
  };
}
