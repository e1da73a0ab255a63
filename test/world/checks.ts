import type { OrderOutcome } from "../../src/desk/orders/orderPlacer.ts";
import { defaultLimits, type SentOrderState, type Side } from "../../src/market/order.ts";
import type { OrderAccepted } from "../../src/practice/account/events.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import type { Disk } from "./disk.ts";
import { bookId } from "./listTrouble.ts";
import type { Process } from "./process.ts";
import { unprovingFaults, type WireFault } from "./wire.ts";

/** The names of all checks of a world. */
export const checkNames = [
  "onceForEachOrder",
  "neverBeforeItsIntent",
  "confirmationsAreFresh",
  "ordersStayWithinGuards",
  "onlyLegalPaths",
  "provenEndsStay",
  "neverBetterThanTheEvidence",
  "theBooksHoldWhatIsShown",
  "onlyConfirmedCancellations",
  "ordersOfOthersStayTheirs",
  "accountsStayApart",
  "shownEndsAreTheServices",
  "reportsMoveForward",
  "cancellationsEnd",
  "openOrdersAreNeverShownAsEnded",
  "fillsOnceAndExact",
  "unknownUntilProven",
  "keysStayHome",
  "sleepsAreNoticed",
  "preparedOrdersAreRead",
  "leasesOnlyRise",
  "nothingOfAnOlderLeader",
  "noOlderPrices",
  "noOrderOnOldPrices",
  "ordersRestOnReadings",
  "wrongStreamsAreDropped",
  "rightStreamsAreKept",
  "connectionsAreTheLeaders",
  "laddersAreSound",
  "alertsRepeatOnlyAfterKills",
  "theLedgerConserves",
  "noStrayError",
  "oneWindowLeads",
  "shownPricesAreFresh",
  "streamsComeBack",
  "everyOrderIsSettled",
  "everyEndIsShown",
  "placedOrdersAreFound",
  "everyAlertWasShown",
  "everyAlertIsKept",
] as const;
export type Check = (typeof checkNames)[number];

/** A check that failed. */
export interface Violation {
  readonly check: Check;
  readonly text: string;
}

/** An order that the person submitted, and its history. */
export interface OrderStory {
  /** How often the person confirmed the order. */
  confirmed: number;
  /** How often the order left a process. */
  requests: number;
  /** An assistant filled in the order. */
  isPrepared?: true;
  /** How long the question was open before its yes, by the computer's clock in ms, and whether it named who prepared the order. */
  read?: { readonly ms: number; readonly isMarked: boolean };
  /** When the person confirmed it last, by the exchanges' clock. */
  confirmedAt?: number;
  /** The person agreed to figures that are far from the market. */
  isBeyondConfirmed?: true;
  /** The process that sent the order last, and the wire's fault for that request. */
  sender?: Process;
  fault?: WireFault | undefined;
  /** True after the order reached the exchange. */
  hasArrived: boolean;
  /** The last check came before the order: the clock was set forward, so the checks were due early. */
  wasGivenUpEarly?: boolean;
  /** The outcome that the window showed the user, if the order reached the client. */
  outcome?: OrderOutcome["kind"];
  /** The order as the window with the newest change shows it. */
  shown?: OwnOrder;
}

/** The parts of the world that the checks need. */
export interface Witness {
  readonly disk: Disk;
  /** Folder of the order journal on the disk. */
  readonly orders: string;
  violated(check: Check, text: string): void;
  /** The order of this amount in the books of a venue's exchange. */
  booked(venue: string, amount: string): OrderAccepted | undefined;
  /** Whether the order of this amount is open or was filled, wholly or in part. */
  isOpenOrFilled(venue: string, amount: string): boolean;
}

/** The possible next states for a reader who may have missed a state (docs/orders.md). */
const legal: Readonly<Record<SentOrderState, readonly SentOrderState[]>> = {
  sending: ["accepted", "rejected", "notSent", "unknown", "unresolved", "notPlaced", "accountReset"],
  unknown: ["accepted", "rejected", "notSent", "unresolved", "notPlaced", "accountReset"],
  unresolved: ["accepted", "rejected", "notSent", "notPlaced", "accountReset"],
  notPlaced: ["accepted", "rejected", "notSent"],
  // The person may decide in a window that does not know of the reset yet.
  accountReset: ["accepted", "rejected", "notSent", "notPlaced"],
  // From the lists, or by the person. A proof may come later, and the person may change the decision.
  accepted: ["rejected", "notSent", "notPlaced"],
  rejected: [],
  notSent: [],
};

const proofs: ReadonlySet<SentOrderState> = new Set(["accepted", "rejected", "notSent"]);

const unproving: ReadonlySet<WireFault | undefined> = new Set([...unprovingFaults, "lateRequest"]);

const isProven = ({ state, settledBy }: OwnOrder): boolean => proofs.has(state) && settledBy === undefined;

/** Readings are ordered by the time of their requests, which take at most this time to arrive. */
const WAY_MS = 250;

/** The limit of the age of a price or a confirmation (10 s), and twice the largest unnoticed change of the clock (3 s). */
const OLDEST_MS = 16_500;

/** Digits of a price beyond those of a float. */
const EPSILON = 1e-9;

/** A question about a prepared order must be open for this time. */
const MIN_READING_MS = 1000;

/** The rules for every moment of a world. Each method reports one event, and keeps what it must compare. */
export class Checks {
  readonly #witness: Witness;
  readonly #orders = new Map<string, OrderStory>();
  readonly #states = new Map<string, OwnOrder>();
  readonly #proven = new Map<string, SentOrderState>();
  readonly #announced = new Map<string, { readonly pid: number; readonly isExcused: () => boolean }>();
  /** The newest number of each group of windows, and that of the account which a window led last. */
  readonly #newestLeads = new Map<string, number>();
  readonly #leads = new Map<number, { readonly group: string; readonly number: number }>();
  readonly #receivedLeads = new Map<string, number>();
  readonly #prices = new Map<string, number>();
  #clockSetAt = 0;
  readonly #alerts = new Set<string>();

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  /** The orders by their amounts. */
  get orders(): ReadonlyMap<string, OrderStory> {
    return this.#orders;
  }

  #order(amount: string): OrderStory {
    const story = this.#orders.get(amount) ?? { confirmed: 0, requests: 0, hasArrived: false };
    this.#orders.set(amount, story);
    return story;
  }

  /** The person confirmed a bid of this amount, after reading the question. `now`: the exchanges' clock. */
  confirmed(amount: string, read: NonNullable<OrderStory["read"]>, now: number): void {
    const order = this.#order(amount);
    order.confirmed += 1;
    order.confirmedAt = now;
    order.read = read;
  }

  /** The person agreed to figures that are far from the market. */
  beyondConfirmed(amount: string): void {
    this.#order(amount).isBeyondConfirmed = true;
  }

  /** The person submits an order of this amount that an assistant filled in. */
  preparedSubmitted(amount: string): void {
    this.#order(amount).isPrepared = true;
  }

  /** A tool gave this text to an assistant. */
  assistantAnswered(text: string): void {
    if (/-(?:key|secret)\b/.test(text))
      this.#witness.violated("keysStayHome", `an assistant was answered: ${text}`);
  }

  /** A bid is about to leave its process, and the wire will cause this fault. `now`: the exchanges' clock. */
  requestLeaves(amount: string, sender: Process, fault: WireFault | undefined, now: number): void {
    this.#onceForEachOrder(amount);
    this.#neverBeforeItsIntent(amount);
    this.#preparedOrdersAreRead(amount);
    this.#confirmationsAreFresh(amount, now);
    Object.assign(this.#order(amount), { sender, fault });
  }

  /** A request arrived at its exchange; undefined if the request is no bid. */
  requestArrived(amount: string | undefined): void {
    if (amount !== undefined) this.#order(amount).hasArrived = true;
  }

  /** A window shows the user the outcome of a bid. */
  outcomeShown(amount: string, outcome: OrderOutcome): void {
    if (!("order" in outcome)) return;
    const order = this.#order(amount);
    order.outcome = outcome.kind;
    if (unproving.has(order.fault) && outcome.kind !== "unknown")
      this.#witness.violated(
        "unknownUntilProven",
        `${amount} is shown as ${outcome.kind} after ${order.fault}`,
      );
  }

  #onceForEachOrder(amount: string): void {
    const order = this.#order(amount);
    order.requests += 1;
    if (order.requests > 1)
      this.#witness.violated("onceForEachOrder", `${order.requests} requests for the order of ${amount}`);
    if (order.confirmed === 0) this.#witness.violated("onceForEachOrder", `${amount} was not confirmed`);
  }

  #preparedOrdersAreRead(amount: string): void {
    const { isPrepared, read } = this.#order(amount);
    if (!isPrepared || (read?.isMarked && read.ms >= MIN_READING_MS)) return;
    this.#witness.violated(
      "preparedOrdersAreRead",
      `${amount}: ${read?.ms} ms, ${read?.isMarked ? "marked" : "not marked"}`,
    );
  }

  #confirmationsAreFresh(amount: string, now: number): void {
    const ageMs = now - (this.#order(amount).confirmedAt ?? now);
    if (ageMs > OLDEST_MS)
      this.#witness.violated("confirmationsAreFresh", `${amount} was confirmed ${ageMs} ms before it left`);
  }

  /** An order leaves a window that polled this last price, and knows this available balance of what it spends. */
  staysWithinGuards(
    amount: string,
    {
      side,
      rate,
      last,
      available,
    }: {
      readonly side: Side;
      readonly rate: number;
      readonly last: number;
      readonly available: number | undefined;
    },
  ): void {
    const percent = 100 * (side === "buy" ? rate / last - 1 : 1 - rate / last);
    const { confirmBeyondPercent, refuseBeyondPercent } = defaultLimits;
    const isAgreed = this.#order(amount).isBeyondConfirmed === true;
    const most = Number((isAgreed ? refuseBeyondPercent : confirmBeyondPercent).toFixed());
    if (percent > most + EPSILON)
      this.#witness.violated(
        "ordersStayWithinGuards",
        `${amount} is ${percent} % beyond the last price, ${isAgreed ? "agreed to" : "not agreed to"}`,
      );
    if (available !== undefined && Number(amount) > available + EPSILON)
      this.#witness.violated("ordersStayWithinGuards", `${amount} is more than the ${available} available`);
  }

  #neverBeforeItsIntent(amount: string): void {
    const { disk, orders } = this.#witness;
    const text = `"amount":"${amount}"`;
    const isKept = disk.list(orders).some((name) => {
      const file = disk.files.get(`${orders}/${name}`);
      return file?.bytes.subarray(0, file.synced).includes(text);
    });
    if (!isKept)
      this.#witness.violated("neverBeforeItsIntent", `no intent of ${amount} is flushed to the disk`);
  }

  /** The orders that a window shows. */
  ordersShown(pid: number, bids: readonly OwnOrder[]): void {
    for (const bid of bids) {
      const key = `${pid} ${bid.intent.id}`;
      const before = this.#states.get(key);
      if (before?.state === bid.state && before.settledBy === bid.settledBy) continue;
      this.#states.set(key, bid);
      const story = this.#order(bid.intent.amount);
      story.shown = bid;
      if (bid.state === "unresolved" && !story.hasArrived) story.wasGivenUpEarly = true;
      if (before) this.#onlyLegalPaths(before, bid);
      this.#provenEndsStay(bid);
      this.#neverBetterThanTheEvidence(bid);
      this.#theBooksHoldWhatIsShown(bid);
    }
  }

  #onlyLegalPaths(before: OwnOrder, after: OwnOrder): void {
    const isSame = before.state === after.state;
    const isLegal = isSame ? !isProven(before) : legal[before.state].includes(after.state);
    const { id, amount } = after.intent;
    if (!isLegal || (isProven(before) && !isSame))
      this.#witness.violated(
        "onlyLegalPaths",
        `${id} of ${amount} went from ${before.state} to ${after.state}`,
      );
  }

  #provenEndsStay(bid: OwnOrder): void {
    const { id, amount } = bid.intent;
    const proven = this.#proven.get(id);
    if (isProven(bid)) {
      if (proven && proven !== bid.state)
        this.#witness.violated("provenEndsStay", `${amount} was ${proven}, and is ${bid.state}`);
      this.#proven.set(id, bid.state);
    }
  }

  #neverBetterThanTheEvidence({ intent: { amount, venue }, state, settledBy }: OwnOrder): void {
    if (settledBy === "user") return;
    const isInBooks = this.#witness.booked(venue, amount) !== undefined;
    const isWrong =
      (state === "accepted" && !isInBooks) ||
      (state === "notPlaced" && this.#witness.isOpenOrFilled(venue, amount)) ||
      (state === "rejected" && isInBooks) ||
      (state === "notSent" && this.#order(amount).hasArrived);
    if (isWrong)
      this.#witness.violated(
        "neverBetterThanTheEvidence",
        `${amount} is shown as ${state} (${settledBy ?? "proof"}), and the exchange ${isInBooks ? "has" : "does not have"} it`,
      );
  }

  /** An order that the exchange holds has the side, the pair and the rate that the person sees. */
  #theBooksHoldWhatIsShown({ intent, state, orderId }: OwnOrder): void {
    const booked = this.#witness.booked(intent.venue, intent.amount);
    if (state !== "accepted" || !booked) return;
    const shown = [intent.side === "buy" ? "bid" : "ask", intent.symbol, intent.rate, orderId].join(" ");
    // An order that was continued is shown with its newest id.
    const id =
      orderId === undefined ? undefined : bookId(orderId) === String(booked.id) ? orderId : booked.id;
    const held = [booked.kind, booked.symbol, booked.rate.toFixed(), id].join(" ");
    if (shown !== held)
      this.#witness.violated("theBooksHoldWhatIsShown", `${intent.amount}: ${shown}, and held is ${held}`);
  }

  /** A request carries this key to the exchange at `owner`'s address. */
  keyLeaves(key: string | undefined, owner: string): void {
    const isOwners = key === `${owner}-key` || (owner === "live" && key === "live-other-key");
    if (key !== undefined && !isOwners) this.#witness.violated("keysStayHome", `${key} was sent to ${owner}`);
  }

  /** A process took a number of a lease: that of the windows of an account, or of all windows (`windows`). */
  leaseTaken(pid: number, group: string, number: number): void {
    const newest = this.#newestLeads.get(group) ?? 0;
    if (number <= newest)
      this.#witness.violated("leasesOnlyRise", `${number} of ${group} was taken after ${newest}`);
    this.#newestLeads.set(group, Math.max(newest, number));
    if (group !== "windows") this.#leads.set(pid, { group, number });
  }

  /** A window received the market of a leader. */
  marketArrived(from: number, to: number): void {
    const { group, number } = this.#leads.get(from) ?? { group: "", number: 0 };
    const newest = this.#receivedLeads.get(`${to} ${group}`) ?? 0;
    if (number < newest)
      this.#witness.violated(
        "nothingOfAnOlderLeader",
        `window ${to} received the market of leader ${number} after ${newest}`,
      );
    this.#receivedLeads.set(`${to} ${group}`, Math.max(newest, number));
  }

  /** A window shows prices that its exchange made at `madeAt`, by the exchange's own clock. */
  pricesShown(pid: number, venue: string, madeAt: number): void {
    const key = `${pid} ${venue}`;
    const newest = this.#prices.get(key) ?? 0;
    if (madeAt < newest - WAY_MS)
      this.#witness.violated(
        "noOlderPrices",
        `window ${pid} shows prices ${newest - madeAt} ms older than before`,
      );
    if (madeAt > this.#clockSetAt) this.#prices.set(key, Math.max(newest, madeAt));
  }

  /** The person switched a window's exchange: its prices are forgotten. The leader may have older prices. */
  exchangeSwitched(pid: number): void {
    for (const key of this.#prices.keys()) if (key.startsWith(`${pid} `)) this.#prices.delete(key);
  }

  /** An order rests on prices that its exchange made this long ago. */
  guardRestsOn(amount: string, ageMs: number): void {
    if (ageMs > OLDEST_MS)
      this.#witness.violated("noOrderOnOldPrices", `${amount} rests on prices that are ${ageMs} ms old`);
  }

  /** The computer's clock was set, so earlier polls have no order. `now`: the exchanges' clock. */
  clockWasSet(now: number): void {
    this.#clockSetAt = now;
    this.#prices.clear();
  }

  /** A window is about to announce an alert. `isExcused`: the window died, or could not record the firing. */
  alertShown(firing: string, pid: number, isExcused: () => boolean): void {
    const before = this.#announced.get(firing);
    if (before && !before.isExcused())
      this.#witness.violated(
        "alertsRepeatOnlyAfterKills",
        `${firing} was announced by ${before.pid} and by ${pid}`,
      );
    this.#announced.set(firing, { pid, isExcused });
  }

  /** The person added an alert. */
  alertAdded(id: string): void {
    this.#alerts.add(id);
  }

  /** The person is about to remove an alert. */
  alertRemoved(id: string): void {
    this.#alerts.delete(id);
  }

  /** The alerts that must be on the disk. */
  get alerts(): ReadonlySet<string> {
    return this.#alerts;
  }

  wasShown(firing: string): boolean {
    return this.#announced.has(firing);
  }
}
