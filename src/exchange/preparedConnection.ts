import type { After } from "./after.ts";
import type { Connection, Target } from "./connection.ts";

/**
 * A server may close a connection that says nothing; the shortest usual limit is 10 s. One used later could meet its end
 * half-way, and leave an order unknown for nothing.
 */
const LONGEST_AGE_MS = 8_000;
/** The next connection has the time up to the longest age to be opened. */
const RENEWED_AFTER_MS = 6_000;
/**
 * Whoever reads a confirmation for longer is in no hurry: their order opens its connection on the click. A question that is
 * left open for hours costs the exchange 21 connections, not thousands.
 */
const RENEWED_FOR_MS = 120_000;

interface Kept {
  readonly connection: Connection;
  readonly openedAt: number;
  readonly cancelEnd: () => void;
}

/**
 * Keeps a fresh connection ready for one order while a person is asked about it, so that a confirmed order does not wait for
 * TCP and TLS. Nothing is written to any of them, and each is closed at the age of 8 s.
 */
export class PreparedConnection {
  readonly #open: () => Connection;
  readonly #now: () => number;
  readonly #after: After;
  readonly #renewedUntil: number;
  /** Oldest first; more than one only while the newest is being opened. */
  #kept: readonly Kept[] = [];
  #cancelRenewal: (() => void) | undefined;

  /** Opens the first at once. `now` is the local clock, ms since the epoch. */
  constructor(parts: { readonly open: () => Connection; readonly now: () => number; readonly after: After }) {
    this.#open = parts.open;
    this.#now = parts.now;
    this.#after = parts.after;
    this.#renewedUntil = parts.now() + RENEWED_FOR_MS;
    this.#renew();
  }

  /**
   * The connection for the one order, or undefined where the order must open its own: one that stands and is untouched, else
   * one that is still being opened. The others are closed, and no more are opened.
   */
  take(target: Target): Connection | undefined {
    const now = this.#now();
    const usable = this.#kept
      // A clock that went back says nothing of an age.
      .filter(({ openedAt }) => now >= openedAt && now - openedAt < LONGEST_AGE_MS)
      .map(({ connection }) => connection)
      .filter((each) => each.goesTo(target) && (each.isUntouched || each.state === "opening"));
    const taken = usable.findLast(({ isUntouched }) => isUntouched) ?? usable.at(-1);
    this.#end(taken);
    return taken;
  }

  /** Closes what is open. Nothing is prepared any more. */
  close(): void {
    this.#end();
  }

  #renew(): void {
    const openedAt = this.#now();
    let connection: Connection;
    try {
      connection = this.#open();
    } catch {
      // The order opens its own on the click, and tells what is wrong.
      return;
    }
    const older = this.#kept;
    const kept: Kept = {
      connection,
      openedAt,
      cancelEnd: this.#after(LONGEST_AGE_MS, () => this.#drop([kept])),
    };
    this.#kept = [...older, kept];
    connection.stands.then(
      () => this.#drop(older),
      () => undefined,
    );
    if (openedAt + RENEWED_AFTER_MS <= this.#renewedUntil)
      this.#cancelRenewal = this.#after(RENEWED_AFTER_MS, () => this.#renew());
  }

  #drop(due: readonly Kept[]): void {
    // What was taken is no longer kept, and not for anyone here to close.
    const dropped = this.#kept.filter((each) => due.includes(each));
    this.#kept = this.#kept.filter((each) => !due.includes(each));
    for (const { connection, cancelEnd } of dropped) {
      cancelEnd();
      connection.close();
    }
  }

  #end(taken?: Connection): void {
    this.#cancelRenewal?.();
    this.#cancelRenewal = undefined;
    for (const { connection, cancelEnd } of this.#kept) {
      cancelEnd();
      if (connection !== taken) connection.close();
    }
    this.#kept = [];
  }
}
