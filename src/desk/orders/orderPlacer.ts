import type { OrderConnection } from "../../exchange/client.ts";
import { placeEndpoints } from "../../exchange/endpoints.ts";
import { ExchangeError } from "../../exchange/errors.ts";
import type { Book } from "../../market/book/book.ts";
import { guardByBook, bookFillOf } from "../../market/book/bookGuard.ts";
import type { BookFill } from "../../market/book/bookFill.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import {
  assetsOf,
  type OrderDraft,
  type OrderLimits,
  type OrderProblem,
  type OrderRules,
  type LimitOrder,
  validateOrder,
} from "../../market/order.ts";
import type { Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import type { PairRules } from "../feeds/pairRules.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import {
  offersAsks,
  offersPostOnly,
  replacedBy,
  type CurrentVenue,
  type SignedIn,
  signInTo,
  type SignInProblem,
  type Watching,
} from "../venue.ts";
import { draftKey } from "./draftKey.ts";
import type { Orders, SentOutcome } from "./orders.ts";

/**
 * A submitted draft. Of all submissions with the same id (a UUID) and the same figures, in all windows, at most one
 * is sent.
 */
export interface SubmittedDraft extends OrderDraft {
  readonly id: string;
  /** The id of the account that the draft belongs to. */
  readonly account: string;
  /** Missing: the user typed the figures. */
  readonly preparedBy?: Preparer | undefined;
}

/** Where the figures of a draft come from, if the user did not type them. `order`: from an earlier order. */
export type Preparer = "assistant" | "link" | "order";

/** The outcome of a draft. `unknown`: the order may have been placed, and nothing proves whether it was. */
export type OrderOutcome =
  | { readonly kind: "invalid"; readonly problems: readonly OrderProblem[] }
  | { readonly kind: "cancelled" }
  /** A prepared order was confirmed faster than anyone can read the dialog, for example by a key that was held down. */
  | { readonly kind: "answeredTooSoon" }
  | { readonly kind: "busy" }
  | { readonly kind: "noVenue" }
  /**
   * The venue or a part of its profile changed while the user read the confirmation, so they confirmed something
   * else.
   */
  | { readonly kind: "venueChanged" }
  /** The API key changed before the order was sent, so it could go to another account. */
  | { readonly kind: "accountChanged" }
  | SignInProblem
  /** The journal could not record the order, so it was not sent: an order without a record could be lost. */
  | { readonly kind: "notRecorded"; readonly error: unknown }
  /** The draft was submitted before, in this window or another one. The orders view shows its outcome. */
  | { readonly kind: "duplicate" }
  /** The exchange's rate limit is still in effect. */
  | { readonly kind: "rateLimited"; readonly venue: Watching }
  /** The order was passed to the exchange client. `id` is the id of its record. */
  | (SentOutcome & { readonly id: string });

/** Whether the draft is spent: its figures can only be submitted as a new draft. */
export function endsDraft(outcome: OrderOutcome | SentOutcome): boolean {
  return "order" in outcome || outcome.kind === "duplicate" || outcome.kind === "notRecorded";
}

/** The confirmation before an order is sent, and the data shown with it. */
export interface OrderQuestion {
  readonly order: LimitOrder;
  readonly venue: SignedIn;
  /**
   * Orders of the same venue, pair and side that are still being sent or whose outcome is unknown. The confirmation
   * lists them first.
   */
  readonly open: readonly OwnOrder[];
  /** Undefined if the pair is no longer listed. */
  readonly ticker: Ticker | undefined;
  /** Available balance of the spent asset; undefined if unknown. */
  readonly available: Decimal | undefined;
  /** Missing: the user typed the figures. */
  readonly preparedBy?: Preparer | undefined;
  /** What the order would fill immediately from the order book; undefined without a fresh book. */
  readonly bookFill?: BookFill | "nothing" | undefined;
  /** ms since the epoch. */
  readonly now: number;
}

/** Minimum time that the confirmation of a prepared order is open, because the user did not choose its figures. */
export const SHORTEST_READING_MS = 1000;

export interface OrderPlacerOptions {
  readonly rules: OrderRules;
  /** The rules of each pair, where its exchange states them; default: `rules`. */
  readonly pairRules?: Pick<PairRules, "rulesOf" | "onDidChange">;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Called after each wait, before prices are checked: the computer may have slept. */
  readonly checkWake: () => void;
  readonly venue: Pick<CurrentVenue, "venue" | "signedIn" | "signIn" | "onDidChange">;
  /** From the newest poll: orders are never checked against streamed prices. */
  readonly ticker: (symbol: string) => Ticker | undefined;
  /** A fresh polled order book of a pair; undefined if none is known. Default: none. */
  readonly book?: (symbol: string) => Book | undefined;
  /** Available balance of an asset; undefined if unknown. */
  readonly available: (asset: string) => Decimal | undefined;
  /** Evaluated at every check of a draft, so that a changed setting applies at once. */
  readonly limits: () => OrderLimits;
  /** The age of the newest poll. */
  readonly prices: Pick<TickerFeed, "ageMs" | "isStale">;
  /**
   * The first of two confirmations, for a rate that is worse than the last price by `order.beyondLastPercent`, or an
   * average rate that is worse than the best offer by `order.beyondBookPercent`.
   */
  readonly confirmBeyond: (question: OrderQuestion) => Promise<boolean>;
  /** Asks the user. The order is sent only if this resolves to true. */
  readonly confirm: (question: OrderQuestion) => Promise<boolean>;
  /** Where an order is recorded before it is sent. */
  readonly orders: Pick<
    Orders,
    "waitMs" | "openLike" | "isClaimed" | "claim" | "recordIntent" | "clientIdOf" | "recordOutcome"
  >;
  /** Called once after each attempt to send an order, whatever its outcome. */
  readonly afterSending: () => void;
}

/** An order without problems, with all that is needed to confirm and to send it. */
interface ReadyOrder {
  readonly draft: SubmittedDraft;
  readonly order: LimitOrder;
  /** The draft's key, for its claim. */
  readonly key: string;
  readonly venue: SignedIn;
  readonly open: readonly OwnOrder[];
  readonly prepared: OrderConnection;
}

/**
 * Checks, confirms and sends a draft once, one order at a time. The connection is opened while the confirmation is
 * shown, so that the order can be sent as soon as it is confirmed.
 */
export class OrderPlacer {
  readonly rules: OrderRules;
  /** Fires when the rules of pairs may have changed. */
  readonly onDidChangeRules: PairRules["onDidChange"];
  readonly #options: OrderPlacerOptions;
  #busy = false;
  #prepared: OrderConnection | undefined;

  constructor(options: OrderPlacerOptions) {
    this.#options = options;
    this.rules = options.rules;
    this.onDidChangeRules = options.pairRules?.onDidChange ?? (() => () => undefined);
  }

  /** Whether the user is deciding about an order, or an order is being sent. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /** The rules that orders for a pair are checked against. */
  rulesOf(pair: Pair): OrderRules {
    return this.#options.pairRules?.rulesOf(pair) ?? this.rules;
  }

  /** The problems of a draft, which may be incomplete; none if it can be confirmed. */
  problems(draft: OrderDraft): readonly OrderProblem[] {
    const order = this.#validate(draft);
    return Array.isArray(order) ? order : [];
  }

  /**
   * What a draft would fill immediately in the order book. Undefined if the draft has problems or no fresh book is
   * known.
   */
  bookFill(draft: OrderDraft): BookFill | "nothing" | undefined {
    const order = this.#validate(draft);
    if (Array.isArray(order)) return undefined;
    return bookFillOf(order, this.#book(order.symbol), this.rulesOf(order.pair));
  }

  /** Places a draft. Failures on the way to the exchange are returned as outcomes, not rejections. */
  async place(draft: SubmittedDraft): Promise<OrderOutcome> {
    if (this.#busy) return { kind: "busy" };
    this.#busy = true;
    try {
      return await this.#place(draft);
    } finally {
      this.#busy = false;
    }
  }

  /** Closes the connection that is open for an order under confirmation. */
  dispose(): void {
    this.#prepared?.close();
  }

  async #place(draft: SubmittedDraft): Promise<OrderOutcome> {
    const { orders, venue: current } = this.#options;
    const { venue: watching } = current;
    if (!watching) return { kind: "noVenue" };
    if (draft.account !== watching.account.id) return { kind: "venueChanged" };
    if (orders.waitMs(watching) > 0) return { kind: "rateLimited", venue: watching };
    const order = this.#validate(draft);
    if (Array.isArray(order)) return { kind: "invalid", problems: order };
    const venue = await signInTo(watching, current, placeEndpoints[order.side]);
    if ("kind" in venue) return venue;
    const key = draftKey(draft.id, order);
    let open: readonly OwnOrder[];
    try {
      if (await orders.isClaimed(key)) return { kind: "duplicate" };
      open = await orders.openLike(order, venue);
    } catch (error) {
      return { kind: "notRecorded", error };
    }
    const prepared = venue.client.prepareOrder(order.side);
    this.#prepared = prepared;
    // The connection is valid only for this venue with these settings.
    const stopWatching = this.#options.venue.onDidChange(() => prepared.close());
    try {
      return await this.#confirmAndSend({ draft, order, key, venue, open, prepared });
    } finally {
      stopWatching();
      prepared.close();
    }
  }

  async #confirmAndSend({ draft, order, key, venue, open, prepared }: ReadyOrder): Promise<OrderOutcome> {
    const { ticker, available, now, confirm, confirmBeyond, orders, afterSending } = this.#options;
    const leaving = assetsOf(order.side, order.pair).amount;
    const question = (): OrderQuestion => ({
      order,
      venue,
      open,
      ticker: ticker(order.symbol),
      available: available(leaving),
      ...(draft.preparedBy && { preparedBy: draft.preparedBy }),
      bookFill: bookFillOf(order, this.#book(order.symbol), this.rulesOf(order.pair)),
      now: now(),
    });
    const isBeyond = order.beyondLastPercent !== undefined || order.beyondBookPercent !== undefined;
    if (isBeyond && !(await confirmBeyond(question()))) return { kind: "cancelled" };
    const askedAt = now();
    if (!(await confirm(question()))) return { kind: "cancelled" };
    this.#options.checkWake();
    const confirmedAt = now();
    if (draft.preparedBy && confirmedAt - askedAt < SHORTEST_READING_MS) return { kind: "answeredTooSoon" };
    const current = this.#options.venue;
    if (current.signedIn !== venue) return { kind: replacedBy(venue, current.venue) };
    const problems = this.#problemsSince(order, draft);
    if (problems.length > 0) return { kind: "invalid", problems };
    if (orders.waitMs(venue) > 0) return { kind: "rateLimited", venue };
    let id: string;
    try {
      if (!(await orders.claim(key))) return { kind: "duplicate" };
      id = await orders.recordIntent(order, venue, available(leaving));
    } catch (error) {
      return { kind: "notRecorded", error };
    }
    const mayStillSend = (): boolean =>
      current.signedIn === venue && this.#mayStillSend(order, draft, confirmedAt);
    const clientId = orders.clientIdOf(id);
    const sent = clientId === undefined ? order : { ...order, clientId };
    const outcome = await send(sent, venue, mayStillSend, prepared);
    await orders.recordOutcome(id, outcome);
    afterSending();
    return { ...outcome, id };
  }

  /**
   * Checked right before the first byte is sent, because reading the secret storage, connecting or a sleep of the
   * computer may have taken too long.
   */
  #mayStillSend(order: LimitOrder, draft: OrderDraft, confirmedAt: number): boolean {
    const { now, limits, checkWake } = this.#options;
    checkWake();
    const ms = now() - confirmedAt;
    return ms >= 0 && ms <= limits().maximumPriceAgeMs && this.#problemsSince(order, draft).length === 0;
  }

  #validate(draft: OrderDraft): LimitOrder | OrderProblem[] {
    const { limits, ticker: tickerOf, available, prices } = this.#options;
    const ticker = tickerOf(draft.symbol);
    const context = {
      ticker,
      rules: ticker ? this.rulesOf(ticker.pair) : this.rules,
      limits: limits(),
      available: ticker && available(assetsOf(draft.side, ticker.pair).amount),
      offersAsks: offersAsks(this.#options.venue.venue),
      offersPostOnly: offersPostOnly(this.#options.venue.venue),
      priceAgeMs: prices.ageMs,
      pricesAreStale: prices.isStale,
    };
    const order = validateOrder(draft, context);
    return Array.isArray(order) ? order : guardByBook(order, this.#book(order.symbol), context);
  }

  #book(symbol: string): Book | undefined {
    return this.#options.book?.(symbol);
  }

  /**
   * The problems that a confirmed order has by now: the confirmation may have been open for an hour. The user confirmed
   * how far the rate is from the last price and the best offer. If a distance grew by more than the limit since, the
   * order needs a new confirmation.
   */
  #problemsSince(confirmed: LimitOrder, draft: OrderDraft): readonly OrderProblem[] {
    const now = this.#validate(draft);
    if (Array.isArray(now)) return now;
    const limit = this.#options.limits().confirmBeyondPercent;
    if (hasGrown(now.beyondLastPercent, confirmed.beyondLastPercent, limit))
      return [{ field: "rate", code: now.side === "buy" ? "aboveLastNow" : "belowLastNow" }];
    if (hasGrown(now.beyondBookPercent, confirmed.beyondBookPercent, limit))
      return [{ field: "rate", code: "bookThinnedNow" }];
    return [];
  }
}

/** Compares distances in percent. Undefined means within the limit, so the user was not asked about it. */
function hasGrown(now: Decimal | undefined, confirmed: Decimal | undefined, limit: Decimal): boolean {
  return now !== undefined && (confirmed === undefined || now.minus(confirmed).gt(limit));
}

/**
 * Sends the order once, to the venue it was confirmed for. `mayStillSend` stops it if another venue is open by then,
 * because there are no current prices to check it against.
 */
async function send(
  order: LimitOrder,
  venue: SignedIn,
  mayStillSend: () => boolean,
  prepared: OrderConnection,
): Promise<SentOutcome> {
  try {
    const receipt = await venue.client.placeOrder(order, mayStillSend, prepared);
    return { kind: "accepted", venue, order, receipt };
  } catch (error) {
    return { kind: failureKind(error), venue, order, error };
  }
}

/**
 * An order counts as rejected or not sent only if the error proves it. After any other failure its outcome is unknown.
 */
function failureKind(error: unknown): "rejected" | "notSent" | "unknown" {
  if (!(error instanceof ExchangeError) || !error.provesNothingHappened) return "unknown";
  return error.kind === "notSent" ? "notSent" : "rejected";
}
