import { knownBalance, type Wallet } from "../market/balance.ts";
import { Decimal, parseDecimal, plainText } from "../market/decimal.ts";
import { backoffMs } from "./backoff.ts";
import type { Timers } from "./timers.ts";

/** What the balance says of a bid. Money as decimal text, to be kept and shown; undefined where it was not known. */
export interface Evidence {
  readonly quote: string;
  /** Free quote balance before the bid was sent, and now. */
  readonly before: string | undefined;
  readonly now: string | undefined;
  /** `now` less `before`: "-1000" is 1000 spent. */
  readonly difference: string | undefined;
  /** Amounts of our other bids that may be part of the difference. */
  readonly others: readonly string[];
  readonly base: string;
  /** What a filled bid would have bought, and the base balance now. Shown, not judged: nothing tells what was there before. */
  readonly quantity: string;
  readonly baseNow: string | undefined;
}

/**
 * `placed`: the quote balance fell by the bid's amount, and nothing else known explains it. `silent`: it did not move.
 * `ambiguous`: it moved, and the bid may or may not be part of that; or there is nothing to compare.
 */
export interface Weighing {
  readonly verdict: "placed" | "silent" | "ambiguous";
  readonly evidence: Evidence;
}

export interface WeighInput {
  readonly quote: string;
  readonly base: string;
  readonly amount: Decimal;
  readonly quantity: Decimal;
  /** Free quote balance, read before the bid was sent; undefined where none was. */
  readonly availableBefore: Decimal | undefined;
  readonly now: Wallet;
  /** What else of ours may have lowered the free quote balance since `availableBefore` was read: all, some or none of it. */
  readonly others: readonly Decimal[];
  /** A fall is the amount when it differs by less than this; not given, it must be exact. For services that round. */
  readonly tolerance?: Decimal | undefined;
}

const NOTHING = new Decimal("0");
/** Beyond this many other bids (1024 sums) nothing is concluded. */
const MOST_OTHERS = 10;

/** Weighs one bid against the wallet. Proves neither way: another change of the very same amount looks the same. */
export function weigh(input: WeighInput): Weighing {
  const { quote, base, amount, quantity, availableBefore: before, now: wallet, others, tolerance } = input;
  const now = knownBalance(wallet, quote)?.available;
  const baseNow = knownBalance(wallet, base)?.available;
  const difference = before && now?.minus(before);
  const evidence: Evidence = {
    quote,
    before: before && plainText(before),
    now: now && plainText(now),
    difference: difference && plainText(difference),
    others: others.map(plainText),
    base,
    quantity: plainText(quantity),
    baseNow: baseNow && plainText(baseNow),
  };
  if (!difference) return { verdict: "ambiguous", evidence };
  if (difference.eq(NOTHING)) return { verdict: "silent", evidence };
  if (others.length > MOST_OTHERS) return { verdict: "ambiguous", evidence };

  const fell = NOTHING.minus(difference);
  const isFall = (sum: Decimal): boolean =>
    fell.eq(sum) || (tolerance !== undefined && fell.minus(sum).abs().lt(tolerance));
  const withoutIt = sumsOf(others);
  const isPlaced = withoutIt.some((sum) => isFall(sum.plus(amount))) && !withoutIt.some(isFall);
  return { verdict: isPlaced ? "placed" : "ambiguous", evidence };
}

/** The sum of every selection of the amounts, the empty one included. */
function sumsOf(amounts: readonly Decimal[]): Decimal[] {
  return amounts.reduce((sums, amount) => [...sums, ...sums.map((sum) => sum.plus(amount))], [NOTHING]);
}

/** A bid that was sent and never answered. Money as canonical decimal text (`plainText`), as a journal keeps it. */
export interface UnknownBid {
  readonly id: string;
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  readonly amount: string;
  readonly quantity: string;
  /** Free quote balance, read before the bid was sent. */
  readonly availableBefore?: string | undefined;
  /** ms since the epoch, on the local clock. */
  readonly sentAt: number;
}

/** One look at an unknown bid. `unread`: the wallet could not be read, so nothing was found. `at`: when it was asked for. */
export type ReconcileCheck =
  | ({ readonly kind: "read"; readonly at: number } & Weighing)
  | { readonly kind: "unread"; readonly at: number; readonly problem: unknown };

export interface ReconcilerOptions {
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** The wallet of the venue and account that the bids went to. Settles in bounded time. */
  readonly readWallet: () => Promise<Wallet>;
  /** Whether this window is the one that reconciles. */
  readonly isMine: () => boolean;
  /** Amounts of all other bids that may have lowered the free balance of the bid's quote since its `availableBefore` was read. */
  readonly others: (bid: UnknownBid) => readonly Decimal[];
  readonly tolerance?: Decimal;
  /** Keeps a check. Must not throw. */
  readonly record: (id: string, check: ReconcileCheck) => void;
  /**
   * Called once a bid, with what its last check found. "unresolved" is for a person to settle: that nothing was found
   * does not prove that nothing was placed. Must not throw.
   */
  readonly settle: (id: string, outcome: "placed" | "unresolved", evidence: Evidence) => void;
}

const CHECKS_AFTER_MS = [5_000, 15_000, 45_000, 120_000];
const JITTER = 0.1;
/** What the pauses between repeats of a last check that could not read the wallet double from. */
const REPEAT_MS = 2_000;
/** A sleeping machine's timers may sleep with it: looking at the clock this often finds the gap soon after. */
const LONGEST_WAIT_MS = 1_000;

interface Tracked {
  readonly bid: UnknownBid;
  /** When its checks fall due, ms after it was sent, in order; the last is put off while the wallet cannot be read. */
  readonly dueMs: number[];
  /** Since it was sent. Counted up, not subtracted: a clock set back must not put a check off. */
  elapsedMs: number;
  checksDone: number;
  /** How often the last check was put off. */
  timesPutOff: number;
}

/**
 * Finds out from the balance what became of bids whose outcome is unknown: checks about 5, 15, 45 and 120 s after each
 * was sent, those missed (a restart, a suspended machine) made up for by one at once. A wallet that cannot be read is
 * no evidence: the last check is repeated, at longer and longer intervals up to a minute, until one reading succeeds.
 * It reads, and never sends.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #tracked = new Map<string, Tracked>();
  readonly #settled = new Set<string>();
  #lastLook: number;
  #looking: Promise<void> | undefined;
  #isDisposed = false;
  #cancelNext: (() => void) | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#lastLook = options.timers.now();
  }

  /** The bids to look after from now on. Those known go on, those no longer listed are left alone, the settled are not begun anew. */
  watch(bids: readonly UnknownBid[]): void {
    this.#passTime();
    const listed = new Set(bids.map(({ id }) => id));
    for (const id of this.#tracked.keys()) if (!listed.has(id)) this.#tracked.delete(id);
    for (const bid of bids) {
      if (this.#tracked.has(bid.id) || this.#settled.has(bid.id)) continue;
      const { timers, random } = this.#options;
      this.#tracked.set(bid.id, {
        bid,
        dueMs: CHECKS_AFTER_MS.map((ms) => Math.round(ms * (1 - JITTER + 2 * JITTER * random()))),
        elapsedMs: Math.max(0, timers.now() - bid.sentAt),
        checksDone: 0,
        timesPutOff: 0,
      });
    }
    this.#arm();
  }

  /** Makes the checks that are due, if that is this window's task; resolves when they, or those under way, are done. */
  look(): Promise<void> {
    this.#looking ??= this.#check().finally(() => {
      this.#looking = undefined;
      this.#arm();
    });
    return this.#looking;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#tracked.clear();
    this.#arm();
  }

  /** One reading serves all that are due or were put off, and counts for every check of theirs that was due when it began. */
  async #check(): Promise<void> {
    const { timers, readWallet, isMine } = this.#options;
    this.#passTime();
    const all = [...this.#tracked.values()];
    if (!all.some((each) => waitMs(each) <= 0) || !isMine()) return;
    const madeUpFor = all
      .filter((each) => waitMs(each) <= 0 || each.timesPutOff > 0)
      .map((each) => [each, checksDue(each)] as const);
    const at = timers.now();
    let reading: { wallet: Wallet } | { problem: unknown };
    try {
      reading = { wallet: await readWallet() };
    } catch (problem) {
      reading = { problem };
    }
    if (!isMine()) return;
    this.#passTime();
    for (const [each, checksDone] of madeUpFor) {
      if (this.#tracked.get(each.bid.id) !== each) continue;
      each.checksDone = checksDone;
      if ("wallet" in reading) this.#conclude(each, { at, ...this.#weigh(each.bid, reading.wallet) });
      else this.#goWithout(each, { kind: "unread", at, problem: reading.problem });
    }
  }

  #conclude(tracked: Tracked, found: { at: number } & Weighing): void {
    const { record, settle } = this.#options;
    const { id } = tracked.bid;
    const isEnd = found.verdict === "placed" || tracked.checksDone === tracked.dueMs.length;
    if (isEnd) {
      this.#tracked.delete(id);
      this.#settled.add(id);
    }
    record(id, { kind: "read", ...found });
    if (isEnd) settle(id, found.verdict === "placed" ? "placed" : "unresolved", found.evidence);
  }

  /** A reading failed. Of a last check that is put off again and again the first failure is kept: the rest say nothing new. */
  #goWithout(tracked: Tracked, check: ReconcileCheck): void {
    const { record, random } = this.#options;
    if (tracked.checksDone === tracked.dueMs.length) {
      tracked.timesPutOff += 1;
      tracked.checksDone -= 1;
      const pause = backoffMs(tracked.timesPutOff, REPEAT_MS, random);
      tracked.dueMs[tracked.checksDone] = tracked.elapsedMs + pause;
    }
    if (tracked.timesPutOff <= 1) record(tracked.bid.id, check);
  }

  #weigh(bid: UnknownBid, now: Wallet): Weighing {
    const { others, tolerance } = this.#options;
    const { quote, base } = bid;
    return weigh({
      quote,
      base,
      amount: new Decimal(bid.amount),
      quantity: new Decimal(bid.quantity),
      availableBefore: parseDecimal(bid.availableBefore ?? ""),
      now,
      others: others(bid),
      tolerance,
    });
  }

  #passTime(): void {
    const now = this.#options.timers.now();
    const passed = Math.max(0, now - this.#lastLook);
    this.#lastLook = now;
    for (const each of this.#tracked.values()) each.elapsedMs += passed;
  }

  /** Armed after an answer, never during a reading: checks cannot pile up. */
  #arm(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
    if (this.#looking || this.#isDisposed || this.#tracked.size === 0) return;
    const wait = Math.min(...[...this.#tracked.values()].map(waitMs));
    const isOthers = wait <= 0 && !this.#options.isMine();
    const ms = isOthers ? LONGEST_WAIT_MS : Math.max(0, Math.min(wait, LONGEST_WAIT_MS));
    this.#cancelNext = this.#options.timers.after(ms, () => void this.look());
  }
}

/** Until its next check; below zero where that is overdue. */
function waitMs({ dueMs, checksDone, elapsedMs }: Tracked): number {
  return (dueMs[checksDone] ?? Number.POSITIVE_INFINITY) - elapsedMs;
}

/** How many of its checks a reading that begins now makes up for. */
function checksDue({ dueMs, elapsedMs, timesPutOff }: Tracked): number {
  return timesPutOff > 0 ? dueMs.length : dueMs.filter((ms) => ms <= elapsedMs).length;
}
