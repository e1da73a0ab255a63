import { Assistant } from "../../src/assistant/assistant.ts";
import { toolNames } from "../../src/assistant/access.ts";
import { PreparedDrafts } from "../../src/assistant/preparedDrafts.ts";
import { type Random, pick, seededRandom } from "../support/random.ts";
import { TestTicket } from "../support/desks/assistantDesk.ts";
import { type OperatingSystem, thisSystem } from "../../src/files/operatingSystem.ts";
import { PreparedSlot } from "../../src/assistant/preparedSlot.ts";
import { Disk, type DiskTrouble } from "./disk.ts";
import type { Checks } from "./checks.ts";
import type { Plan } from "./plan.ts";
import type { Scheduler } from "./scheduler.ts";
import type { WorldWindow } from "./window.ts";

/** Its faults would change the chance of all others. */
const noTrouble: DiskTrouble = { fails: () => undefined, takes: (_, size) => size, done: () => undefined };

/** The parts of the world that an assistant reaches. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly checks: Checks;
  readonly plan: Plan;
  readonly alive: readonly WorldWindow[];
  readonly isQuiet: boolean;
  note(text: string): void;
  reached(situation: string): void;
}

/** The assistant of one window, and the order ticket that it fills in. */
interface Opened {
  readonly assistant: Assistant;
  readonly ticket: TestTicket;
}

/**
 * A model that calls any tool with anything at any time, in any window. Its chance is its own, so that the other events of
 * a seed stay what they are.
 */
export class WorldAssistant {
  readonly #world: Surroundings;
  readonly #random: Random;
  readonly #opened = new WeakMap<WorldWindow, Opened>();
  readonly #disk: Disk;
  #amount = 0;
  #ids = 0;

  constructor(world: Surroundings) {
    this.#world = world;
    this.#disk = new Disk(() => world.scheduler.now);
    this.#random = seededRandom(world.plan.seed ^ 0xa551);
  }

  begin(): void {
    this.#world.scheduler.after(500 + 9500 * this.#random(), () => {
      if (this.#world.isQuiet) return;
      this.#act();
      this.begin();
    });
  }

  /** The ticket of a window; undefined before the first call. */
  ticketOf(window: WorldWindow): TestTicket | undefined {
    return this.#opened.get(window)?.ticket;
  }

  #act(): void {
    const { alive } = this.#world;
    const window = alive.length > 0 ? pick(this.#random, alive) : undefined;
    const calls = 1 + Math.floor(3 * this.#random() ** 3);
    for (let each = 0; each < calls; each += 1) window?.process.run(() => void this.#call(window));
  }

  async #call(window: WorldWindow): Promise<void> {
    const { process } = window;
    const { assistant } = this.#of(window);
    const name = this.#random() < 0.6 ? "bidside_prepareOrder" : pick(this.#random, toolNames);
    const { text } = await assistant.call(name, this.#input(name, window));
    if (!process.isAlive) return;
    this.#world.checks.assistantAnswered(text);
    const isOpened = text.includes('"opened":true');
    if (isOpened) this.#world.reached("anOrderWasPrepared");
    this.#world.note(
      `${process.pid} ${name}: ${isOpened ? "opened" : text.length > 0 ? "answered" : "silent"}`,
    );
  }

  /** Often an order that the ticket takes, now and then anything. */
  #input(name: string, { desk }: WorldWindow): unknown {
    if (this.#random() < 0.1) return pick(this.#random, [null, [], "order", { confirm: true }, { side: 1 }]);
    if (name === "bidside_candles") return { pair: "THB_BTC", interval: "1m", limit: 5 };
    if (name === "bidside_book") return { pair: "THB_BTC" };
    if (name !== "bidside_prepareOrder") return {};
    const pair = pick(this.#random, ["THB_BTC", "THB_ETH"]);
    const last = desk.tickers.ticker(pair)?.last ?? 1;
    this.#amount += 1;
    const rate = (last * (0.99 + 0.02 * this.#random())).toFixed(2);
    // The person's own amounts are whole numbers.
    return { side: "buy", pair, amount: `${1000 + this.#amount}.25`, rate };
  }

  /** The computer of a window, with a disk and chance of the assistant's own. */
  #computerOf({ process }: WorldWindow): OperatingSystem {
    return {
      ...thisSystem,
      files: this.#disk.callsOf(process, noTrouble),
      pid: process.pid,
      isRunning: (pid) => this.#world.alive.some((each) => each.process.pid === pid),
      randomBytes: (size) =>
        Buffer.from(Array.from({ length: size }, () => Math.floor(256 * this.#random()))),
    };
  }

  #of(window: WorldWindow): Opened {
    const known = this.#opened.get(window);
    if (known) return known;
    const { desk } = window;
    const ticket = new TestTicket();
    const place = new PreparedSlot("/prepared", this.#computerOf(window));
    const newId = (): string => {
      this.#ids += 1;
      return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
    };
    const assistant = new Assistant({
      desk,
      level: () => "prepare",
      areAmountsHidden: () => this.#random() < 0.5,
      valuesIn: () => "",
      drafts: new PreparedDrafts({
        timers: desk.timers,
        newId,
        ticket,
        place,
        warn: (error) => this.#world.note(`${window.process.pid} warn: ${String(error)}`),
      }),
      confirmAlert: () => Promise.resolve(false),
    });
    // A draft belongs to one exchange.
    desk.venue.onDidChange(() => ticket.close());
    const opened = { assistant, ticket };
    this.#opened.set(window, opened);
    return opened;
  }
}
