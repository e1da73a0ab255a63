import type { After } from "../time/timers.ts";
import type { OpenConnection, Target } from "./connection.ts";

/**
 * Servers close idle connections; the shortest common limit is 10 s. An older connection could break during the order and
 * leave its outcome unknown.
 */
const LONGEST_AGE_MS = 8_000;
/** Opens the replacement before the current connection reaches the maximum age. */
const RENEWED_AFTER_MS = 6_000;
/**
 * A user who takes longer to confirm is in no hurry: the order then connects on the click. A dialog left open for hours
 * thus costs the exchange 21 connections, not thousands.
 */
const RENEWED_FOR_MS = 120_000;

interface Candidate {
  readonly connection: OpenConnection;
  readonly openedAt: number;
  readonly cancelEnd: () => void;
}

/**
 * Keeps a fresh connection ready while the user confirms an order, so that it need not wait for TCP and TLS. Nothing is
 * written to these connections, and each is closed after 8 s.
 */
export class PreparedConnection {
  readonly #open: () => OpenConnection;
  readonly #now: () => number;
  readonly #after: After;
  readonly #renewedUntil: number;
  /** Oldest first. More than one only while a replacement is being opened. */
  #candidates: readonly Candidate[] = [];
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
   * Returns the connection for the order: preferably one that is ready and unused, else one still connecting; undefined if
   * the order must open its own. Closes all others and opens no more.
   */
  take(target: Target): OpenConnection | undefined {
    const now = this.#now();
    const usable = this.#candidates
      // If the clock was set back, the age is unknown.
      .filter(({ openedAt }) => now >= openedAt && now - openedAt < LONGEST_AGE_MS)
      .map(({ connection }) => connection)
      .filter((each) => each.goesTo(target) && (each.isUntouched || each.state === "opening"));
    const selected = usable.findLast(({ isUntouched }) => isUntouched) ?? usable.at(-1);
    this.#end(selected);
    return selected;
  }

  close(): void {
    this.#end();
  }

  #renew(): void {
    const openedAt = this.#now();
    let connection: OpenConnection;
    try {
      connection = this.#open();
    } catch {
      // The order opens its own connection on the click and reports the failure.
      return;
    }
    const older = this.#candidates;
    const candidate: Candidate = {
      connection,
      openedAt,
      cancelEnd: this.#after(LONGEST_AGE_MS, () => this.#drop([candidate])),
    };
    this.#candidates = [...older, candidate];
    connection.connected.then(
      () => this.#drop(older),
      () => undefined,
    );
    if (openedAt + RENEWED_AFTER_MS <= this.#renewedUntil)
      this.#cancelRenewal = this.#after(RENEWED_AFTER_MS, () => this.#renew());
  }

  #drop(due: readonly Candidate[]): void {
    // A connection handed to the order must not be closed here.
    const dropped = this.#candidates.filter((each) => due.includes(each));
    this.#candidates = this.#candidates.filter((each) => !due.includes(each));
    for (const { connection, cancelEnd } of dropped) {
      cancelEnd();
      connection.close();
    }
  }

  #end(selected?: OpenConnection): void {
    this.#cancelRenewal?.();
    this.#cancelRenewal = undefined;
    for (const { connection, cancelEnd } of this.#candidates) {
      cancelEnd();
      if (connection !== selected) connection.close();
    }
    this.#candidates = [];
  }
}
