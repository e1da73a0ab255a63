import type { Account } from "../../src/market/account.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import type { Check } from "./checks.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";
import type { WorldWindow } from "./window.ts";

/** The parts of the world that these checks need. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly windows: readonly WorldWindow[];
  /** The computer's clock, ms since the epoch. */
  clock(): number;
  violated(check: Check, text: string): void;
  reached(situation: string): void;
}

/** A shorter sleep may look like a busy computer (src/desk/time/wakeDetector.ts). */
const NOTICED_MS = 7_000;
/** A window that has nothing to do notices a sleep within this time. */
const BEAT_MS = 2_000;

/** After a sleep, no window signs by a clock that was measured before it, or shows prices from before it as fresh. */
export class SleepChecks {
  readonly #world: Surroundings;
  /** When the computer woke last, by its clock, until that clock was set. */
  #wokeAt: number | undefined;
  /** The same in world time: a window that was at work then may finish its step before it looks at the clock. */
  #steppedAt = 0;
  /** Requests for the time of an exchange since then. */
  #measurements = new WeakSet<HttpRequest>();
  readonly #measured = new Set<Account["kind"]>();
  /** The processes that were asleep then: for a window opened since, the age of its prices counts. */
  #wereAsleep = new WeakSet<Process>();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** The computer slept for this time, ms. */
  slept(ms: number): void {
    if (ms <= NOTICED_MS) return;
    this.#wokeAt = this.#world.clock();
    this.#steppedAt = this.#world.scheduler.now;
    this.#measurements = new WeakSet();
    this.#measured.clear();
    this.#wereAsleep = new WeakSet(this.#world.windows.map(({ process }) => process));
  }

  clockWasSet(): void {
    this.#wokeAt = undefined;
  }

  /** A window begins a request: it is signed by now, and has not left. */
  requestBegins(process: Process, venue: Account["kind"], request: HttpRequest): void {
    if (this.#wokeAt === undefined) return;
    if (request.label === "serverTime") this.#measurements.add(request);
    if (this.#world.scheduler.now === this.#steppedAt) return;
    const window = this.#world.windows.find((each) => each.process === process);
    if (request.headers["X-SVC-APIKEY"] !== undefined && window?.isOfReplacedClient(request) !== true) {
      this.#world.reached("aRequestWasSignedAfterASleep");
      if (!this.#measured.has(venue))
        this.#world.violated(
          "sleepsAreNoticed",
          `${process.pid} signs ${request.label} by the clock from before a sleep`,
        );
    }
    if (this.#world.scheduler.now <= this.#steppedAt + BEAT_MS || !this.#wereAsleep.has(process)) return;
    const { tickers } = window?.desk ?? {};
    const { readAt } = tickers?.newestPoll ?? {};
    if (!tickers || readAt === undefined || readAt >= this.#wokeAt) return;
    this.#world.reached("pricesWereStaleAfterASleep");
    if (!tickers.isStale)
      this.#world.violated(
        "sleepsAreNoticed",
        `${process.pid} shows prices of ${this.#wokeAt - readAt} ms before the end of a sleep as fresh`,
      );
  }

  /** A window got the time of an exchange. */
  answered(venue: Account["kind"], request: HttpRequest): void {
    if (this.#measurements.has(request)) this.#measured.add(venue);
  }
}
