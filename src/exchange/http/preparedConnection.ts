import type { After } from "./after.ts";
import type { OpenConnection, Target } from "./connection.ts";

/**
 * A server may close a silent connection; the shortest usual limit is 10 s. An older connection could break during
 * the order, and leave its outcome unknown.
 */
const LONGEST_AGE_MS = 8_000;
/** The next connection is opened before the current one reaches the highest age. */
const RENEWED_AFTER_MS = 6_000;
/**
 * A person who reads the confirmation longer is in no hurry: the order then opens its connection on the click. So a
 * question that is open for hours costs the exchange 21 connections, not thousands.
 */
const RENEWED_FOR_MS = 120_000;

interface Kept {
  readonly connection: OpenConnection;
  readonly openedAt: number;
  readonly cancelEnd: () => void;
}

/**
 * Keeps a fresh connection ready for one order while a person confirms it, so that the confirmed order does not wait
 * for TCP and TLS. Nothing is written to these connections, and each is closed at the age of 8 s.
 */
export class PreparedConnection {
  readonly #open: () => OpenConnection;
  readonly #now: () => number;
  readonly #after: After;
  readonly #renewedUntil: number;
  /** Oldest first. More than one only while the newest is being opened. */
  #kept: readonly Kept[] = [];
  #cancelRenewal: (() => void) | undefined;

  /** Opens the first connection at once. `now` is the local clock, ms since the epoch. */
  constructor(parts: {
    readonly open: () => OpenConnection;
    readonly now: () => number;
    readonly after: After;
  }) {
    this.#open = parts.open;
    this.#now = parts.now;
    this.#after = parts.after;
    this.#renewedUntil = parts.now() + RENEWED_FOR_MS;
    this.#renew();
  }

  /**
   * The connection for the one order: one that is ready and unused, else one that is being opened; undefined if the
   * order must open its own. All others are closed, and no more are opened.
   */
  take(target: Target): OpenConnection | undefined {
    const now = this.#now();
    const usable = this.#kept
      // After the clock went back, the age is unknown.
      .filter(({ openedAt }) => now >= openedAt && now - openedAt < LONGEST_AGE_MS)
      .map(({ connection }) => connection)
      .filter((each) => each.goesTo(target) && (each.isUntouched || each.state === "opening"));
    const taken = usable.findLast(({ isUntouched }) => isUntouched) ?? usable.at(-1);
    this.#end(taken);
    return taken;
  }

  /** Closes all open connections and prepares no more. */
  close(): void {
    this.#end();
  }

  #renew(): void {
    const openedAt = this.#now();
    let connection: OpenConnection;
    try {
      connection = this.#open();
    } catch {
      // The order opens its own connection on the click, and reports the failure.
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
    // A taken connection is no longer kept, and must not be closed here.
    const dropped = this.#kept.filter((each) => due.includes(each));
    this.#kept = this.#kept.filter((each) => !due.includes(each));
    for (const { connection, cancelEnd } of dropped) {
      cancelEnd();
      connection.close();
    }
  }

  #end(taken?: OpenConnection): void {
    this.#cancelRenewal?.();
    this.#cancelRenewal = undefined;
    for (const { connection, cancelEnd } of this.#kept) {
      cancelEnd();
      if (connection !== taken) connection.close();
    }
    this.#kept = [];
  }
}
