import type { Account } from "../../src/market/account.ts";
import type { Check } from "./checks.ts";
import type { Scheduler } from "./scheduler.ts";
import type { StreamConnection } from "./streamWire.ts";
import type { WorldWindow } from "./window.ts";

/** The parts of the world that know of connections. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly alive: readonly WorldWindow[];
  violated(check: Check, text: string): void;
  reached(situation: string): void;
}

const CHECK_MS = 10_000;
/** Windows that lost each other, or a leader that was stopped, need this many checks at most to agree again. */
const MAX_CHECKS = 3;

/**
 * Streams have one connection of each kind for all windows of an account, that of the leader, and none that nobody needs. Windows need a
 * while to agree, so a connection is wrong if several checks in a row find it wrong.
 */
export class ConnectionChecks {
  readonly #world: Surroundings;
  readonly #held: () => Iterable<StreamConnection>;
  readonly #venueOf: (connection: StreamConnection) => Account["kind"];
  #wrong = new Map<StreamConnection, number>();

  constructor(
    world: Surroundings,
    held: () => Iterable<StreamConnection>,
    venueOf: (connection: StreamConnection) => Account["kind"],
  ) {
    this.#world = world;
    this.#held = held;
    this.#venueOf = venueOf;
  }

  begin(): void {
    this.#world.scheduler.after(CHECK_MS, () => {
      this.check();
      this.begin();
    });
  }

  /** A window asks for a connection. It must hold no other one to the same stream. */
  opened(connection: StreamConnection): void {
    for (const other of this.#held())
      if (other !== connection && other.process === connection.process && isSame(other, connection))
        this.#world.violated(
          "connectionsAreTheLeaders",
          `${connection.process.pid} opens ${connection.kind} twice`,
        );
  }

  /** Checks all connections. Those that are wrong in too many checks in a row are violations. */
  check(): void {
    const found = new Map<StreamConnection, number>();
    for (const connection of this.#held()) {
      const problem = this.#problemOf(connection);
      if (problem === undefined) continue;
      const count = (this.#wrong.get(connection) ?? 0) + 1;
      found.set(connection, count);
      if (count >= MAX_CHECKS)
        this.#world.violated(
          "connectionsAreTheLeaders",
          `${connection.process.pid} holds ${connection.kind}: ${problem}`,
        );
    }
    this.#wrong = found;
  }

  #problemOf(connection: StreamConnection): string | undefined {
    const { alive } = this.#world;
    const holder = alive.find(({ process }) => process === connection.process);
    if (!holder || holder.process.isFrozen) return undefined;
    const venue = this.#venueOf(connection);
    const { id, kind } = holder.desk.venue.account;
    if (kind !== venue) return `it has another exchange than ${venue}`;
    const windows = alive.filter(({ desk }) => desk.venue.account.id === id);
    const leaders = windows.filter((window) => window.isLeaderOf(id) && !window.process.isFrozen);
    const [leader] = leaders;
    if (leaders.length === 1 && leader && leader !== holder) {
      const isDouble = [...this.#held()].some(
        (other) => other.process === leader.process && isSame(other, connection),
      );
      return isDouble ? "the leader holds the same" : "another window leads";
    }
    if (connection.kind === "ticker" && !windows.some(isLooking))
      return "no prices are visible, and no alert waits";
    if (connection.kind === "book" && !windows.some(({ isBookShown }) => isBookShown))
      return "no book is visible";
    return undefined;
  }
}

/** While an order is being placed, prices are polled and streamed too. */
function isLooking({ isShown, alerts, desk }: WorldWindow): boolean {
  return isShown || alerts?.isArmed === true || desk.windows.demand.ordering === true;
}

/** The pairs of the prices are part of their address, and only one connection has any. */
function isSame(one: StreamConnection, other: StreamConnection): boolean {
  const isOfPrices = one.kind === "ticker" && other.kind === "ticker";
  return isOfPrices ? one.url.origin === other.url.origin : one.url.href === other.url.href;
}
