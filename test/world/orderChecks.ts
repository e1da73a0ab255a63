import type { CancelQuestion } from "../../src/desk/tracking/canceller.ts";
import type { AccountRef, OrderName } from "../../src/market/order.ts";
import type { Orders } from "../../src/desk/orders/orders.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { Fill } from "../../src/market/orderReport.ts";
import { hasEnded, isUnlisted, type KnownOrder } from "../../src/market/orders/knownOrder.ts";
import { isOwn, isPlaced } from "../../src/storage/orders/order.ts";
import type { Match, PracticeOrder } from "../../src/practice/account/order.ts";
import { bookId } from "./listTrouble.ts";
import type { Check } from "./checks.ts";
import type { Process } from "./process.ts";

/** The parts of the world that the checks need. */
interface OrderWitness {
  violated(check: Check, text: string): void;
  reached(situation: string): void;
  /** An order in the books of a venue's exchange, also from before a reset of the account. */
  held(name: OrderName): PracticeOrder | undefined;
  /** Whether its exchange called it cancelled while it was open. */
  wasCalledCancelled(name: OrderName): boolean;
  /** Whether a window may show an order as ended that is open: its exchange stated an end, and no lists contradict it. */
  mayBeShownAsEnded(name: OrderName, pid: number): boolean;
  /** Whether an order of an account was placed elsewhere. */
  isElsewhere(account: AccountRef, orderId: string): boolean;
}

/** The smallest part of a base asset. */
const UNIT = new Decimal("1e-8");
/** The status of an order only moves up. */
const STEPS: readonly KnownOrder["status"][] = [
  "accepted",
  "rejected",
  "cancelled",
  "partlyFilledCancelled",
  "filled",
];
/** A cancellation is sent at most this number of times after each confirmation. */
const MAX_CANCEL_REQUESTS = 3;
/** A list that is late may show an order again after its end. */
const LATE_DOUBTS: readonly string[] = ["listedAfterEnd", "filledBeyondOrder"];

/** The rules for the lifecycle of accepted orders. */
export class OrderChecks {
  readonly #witness: OrderWitness;
  readonly #seen = new Map<string, KnownOrder>();
  /** Open orders that were shown as not listed. */
  readonly #notListed = new Set<string>();
  /** How often a cancellation may still leave, by account and id of its order. */
  readonly #cancels = new Map<string, number>();

  /** The processes of the windows in which the newest cancellations were confirmed. */
  readonly #confirmedIn = new Map<string, Process>();

  constructor(witness: OrderWitness) {
    this.#witness = witness;
  }

  /** The person confirmed cancellations in a window. */
  cancelConfirmed(process: Process, { venue, targets }: CancelQuestion): void {
    for (const { name } of targets) {
      const key = `${venue.account.id} ${bookId(name.orderId)}`;
      this.#confirmedIn.set(key, process);
      this.#cancels.set(key, (this.#cancels.get(key) ?? 0) + MAX_CANCEL_REQUESTS);
    }
  }

  /** The process in which the newest cancellation of an order was confirmed. */
  cancellerOf(account: string, orderId: string): Process | undefined {
    return this.#confirmedIn.get(`${account} ${bookId(orderId)}`);
  }

  /** A cancellation is about to leave its process. */
  cancelLeaves(account: string, orderId: string): void {
    const key = `${account} ${orderId}`;
    const left = this.#cancels.get(key) ?? 0;
    this.#cancels.set(key, left - 1);
    if (left <= 0)
      this.#witness.violated("onlyConfirmedCancellations", `a cancellation of ${key} was not confirmed`);
  }

  /** What a window shows of all orders. */
  ordersShown(pid: number, { own, elsewhere }: Pick<Orders, "own" | "elsewhere">): void {
    for (const { intent, orderId } of own) {
      if (orderId !== undefined && this.#witness.isElsewhere(intent, orderId))
        this.#witness.violated(
          "ordersOfOthersStayTheirs",
          `order ${orderId} was placed elsewhere, and is shown as the own order of ${intent.amount}`,
        );
    }
    for (const order of [...own, ...elsewhere]) {
      if (!isPlaced(order) || !order.isReported) continue;
      const { name, known } = order;
      const key = `${pid} ${name.venue} ${name.account} ${name.orderId}`;
      const held = this.#witness.held(name);
      if (held && !held.closed && hasEnded(known)) this.#openOrdersAreNotEnded(pid, name);
      const before = this.#seen.get(key);
      if (before === known) continue;
      this.#seen.set(key, known);
      const wasCalledCancelled = this.#witness.wasCalledCancelled(name);
      if (before && !wasCalledCancelled) this.#reportsMoveForward(key, before, known);
      if (!held) this.#witness.violated("shownEndsAreTheServices", `${key} is not in the books`);
      else {
        const wasCalledCancelled = this.#witness.wasCalledCancelled(name);
        if (!wasCalledCancelled) this.#shownEndsAreTheServices(key, known, held);
        else if (isListedAfterEnd(known)) this.#witness.reached("aWrongEndWasTakenBack");
        const expected = wasCalledCancelled ? [...LATE_DOUBTS, "endsDisagree"] : LATE_DOUBTS;
        this.#fillsOnceAndExact(key, known, held, { isSent: isOwn(order), expected });
        if (!wasCalledCancelled) this.#noteListing(key, known, held);
      }
    }
  }

  /** Reports may arrive in another order than they were made, and none takes back what a newer one said. */
  #reportsMoveForward(key: string, before: KnownOrder, after: KnownOrder): void {
    const ids = new Set(after.fills.map(({ id }) => id));
    // Two lists show it after its end: a list that stays late is told from a wrong end by nothing.
    const isDoubted = after.doubts.includes("listedAfterEnd");
    const isBack =
      (stepOf(after) < stepOf(before) && !isDoubted) ||
      before.fills.some(({ id }) => !ids.has(id)) ||
      (before.remaining && after.remaining?.gt(before.remaining)) === true;
    if (isBack)
      this.#witness.violated(
        "reportsMoveForward",
        `${key}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`,
      );
  }

  #openOrdersAreNotEnded(pid: number, name: OrderName): void {
    if (this.#witness.mayBeShownAsEnded(name, pid)) this.#witness.reached("anOpenOrderWasShownAsEnded");
    else
      this.#witness.violated(
        "openOrdersAreNeverShownAsEnded",
        `${pid} shows ${name.venue} ${name.account} ${name.orderId} as ended, and it is open`,
      );
  }

  #noteListing(key: string, known: KnownOrder, { closed }: PracticeOrder): void {
    if (known.ids.length > 1) this.#witness.reached("anOrderGotANewId");
    if (!closed && isUnlisted(known)) {
      this.#witness.reached("anOpenOrderWasNotListed");
      this.#notListed.add(key);
    } else if (!closed && this.#notListed.delete(key)) this.#witness.reached("anOrderWasListedAgain");
  }

  #shownEndsAreTheServices(key: string, { status }: KnownOrder, held: PracticeOrder): void {
    const { closed, matches } = held;
    this.#witness.reached(`shown as ${status}`);
    const isWrong =
      status === "rejected" ||
      (status === "filled" && closed?.as !== "filled" && !(closed && isAllButDust(held))) ||
      (status === "cancelled" && (closed?.as !== "cancelled" || matches.length > 0)) ||
      (status === "partlyFilledCancelled" && (closed?.as !== "cancelled" || matches.length === 0));
    if (status === "partlyFilledCancelled") this.#witness.reached("aPartWasFilledAndTheRestCancelled");
    if (isWrong)
      this.#witness.violated(
        "shownEndsAreTheServices",
        `${key} is shown as ${status}, and is ${closed?.as ?? "open"} with ${matches.length} matches`,
      );
  }

  #fillsOnceAndExact(
    key: string,
    known: KnownOrder,
    held: PracticeOrder,
    { isSent, expected }: { readonly isSent: boolean; readonly expected: readonly string[] },
  ): void {
    const { fills, surplus } = known;
    const matches = new Map(held.matches.map((match) => [match.txn, match]));
    if (fills.length > 0) this.#witness.reached("shown with a fill");
    if (fills.length > 1) this.#witness.reached("severalFillsWereShown");
    const isExact = fills.every((fill) => isSame(fill, matches.get(fill.id), held));
    const isOnce = new Set(fills.map(({ id }) => id)).size === fills.length;
    // A list shows what is left of an order that got a new id. If the order was first seen afterwards, its size is understated
    // and an earlier fill is in no sum. The size of an order whose record names its id is what was sent.
    const mayBeSmaller = !isSent && known.ids.length > 1;
    const doubts = known.doubts.filter((each) => !expected.includes(each));
    const left = (mayBeSmaller ? 0 : surplus.length) + doubts.length;
    if (!isExact || !isOnce || left > 0) {
      const shown = JSON.stringify({ fills, surplus, doubts });
      this.#witness.violated("fillsOnceAndExact", `${key}: ${shown}, held: ${JSON.stringify(held.matches)}`);
    }
  }
}

function isListedAfterEnd({ status, doubts }: KnownOrder): boolean {
  return status === "open" && doubts.includes("listedAfterEnd");
}

/** Whether it rests, is not listed or ended in an unknown way is no step: a list may show it again. */
function stepOf({ status }: KnownOrder): number {
  return Math.max(0, STEPS.indexOf(status));
}

/** In a list of matches, the cancellation of a rounding remainder looks like a fill. */
export function isAllButDust({ matches, placed: { amount } }: PracticeOrder): boolean {
  const filled = matches.reduce((sum, match) => sum.plus(match.amount), new Decimal("0"));
  return filled.gte(amount.times("0.99"));
}

function isSame(fill: Fill, match: Match | undefined, { placed: { kind }, matches }: PracticeOrder): boolean {
  if (!match) return false;
  const { rate, fee, amount, quantity } = match;
  if (!fill.rate.eq(rate) || !fill.fee.eq(fee)) return false;
  // A stream has the proceeds of a sell; the lists have its rate and its quantity.
  if (kind === "ask")
    return (
      fill.quantity.eq(amount) &&
      [quantity.plus(fee), amount.times(rate)].some((value) => fill.value.eq(value))
    );
  // The exchange reports a match of a bid in base or in quote. The other figure is one base unit away at most, and in the
  // last match, which makes up for what was cut off before, one for each match.
  const unit = UNIT.times(String(matches.length));
  const isNear = (reported: Decimal, is: Decimal, by: Decimal): boolean => reported.minus(is).abs().lte(by);
  return isNear(fill.quantity, quantity, unit) && isNear(fill.value, amount.minus(fee), unit.times(rate));
}
