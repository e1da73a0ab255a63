import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Desk } from "../../src/desk/desk.ts";
import type { OrderOutcome } from "../../src/desk/orders/orderPlacer.ts";
import { NoResponseError, RefusedError } from "../../src/exchange/errors.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { close, openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { draft } from "../support/fakes/orderPlacer.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient } from "../support/fakes/venue.ts";
import { killAll, startAndRead } from "../support/processes/children.ts";
import { waitFor } from "../support/waitFor.ts";
import { isFull } from "../support/rounds.ts";
import { safetyLine } from "./safetyLine.ts";

/** The acts of one window with the draft that every window has restored. */
const windowPlan = fc.record({
  /** The answer to the confirmation of each submission: a double click or a held Enter makes several. */
  submissions: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  /** How often the window is reloaded between them. */
  reloads: fc.nat(2),
});
const answer = fc.constantFrom("accepted", "lost", "refused", "never");

describe("one draft", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "one-draft-"));
  });
  afterEach(async () => {
    await killAll();
    rmSync(directory, { recursive: true, force: true });
  });

  /** A window, and its desk in each generation: a reload begins the next generation. */
  class Window {
    readonly #scheduler: fc.Scheduler;
    readonly #desks: Desk[] = [];
    #answers: boolean[] = [];
    #generation = 0;
    #current: Promise<Desk> | undefined;

    /** Everything is loaded here. After this, only the scheduler decides the order of events. */
    static async open(
      generations: number,
      storage: string,
      exchange: FakeClient,
      scheduler: fc.Scheduler,
    ): Promise<Window> {
      const window = new Window(scheduler);
      for (let generation = 0; generation < generations; generation++)
        window.#desks.push(await window.#load(generation, storage, exchange));
      window.#start();
      return window;
    }

    constructor(scheduler: fc.Scheduler) {
      this.#scheduler = scheduler;
    }

    async submit(confirmed: boolean): Promise<OrderOutcome> {
      this.#answers.push(confirmed);
      return await ((await this.#current) ?? assert.fail()).placeOrder({ ...draft, account: "practice" });
    }

    reload(): void {
      this.#generation += 1;
      this.#answers = [];
      this.#start();
    }

    async close(): Promise<void> {
      await Promise.all(this.#desks.map(close));
    }

    #start(): void {
      const generation = this.#generation;
      this.#current = this.#later(generation, "journal", () => this.#desks[generation] ?? assert.fail()).then(
        async (desk) => {
          await desk.orders.reread();
          return desk;
        },
      );
    }

    /** Runs when the scheduler decides, and never once its generation has ended. */
    async #later<T>(generation: number, what: string, value: () => T): Promise<T> {
      await this.#scheduler.schedule(Promise.resolve(), what);
      return generation === this.#generation ? value() : await new Promise<never>(() => {});
    }

    async #load(generation: number, storage: string, exchange: FakeClient): Promise<Desk> {
      const client = new FakeClient();
      client.bidAnswer = async (bid) => {
        const [result] = await Promise.allSettled([exchange.placeOrder(bid)]);
        return await this.#later(generation, "answer", () => {
          if (result.status === "rejected") throw result.reason;
          return result.value;
        });
      };
      const desk = await openTestDesk({
        client,
        storage,
        timers: new FakeTimers(Date.now()),
        window: unattended,
        ask: {
          confirmBeyond: () => assert.fail("asked"),
          confirm: () => this.#later(generation, "confirmation", () => this.#answers.shift() ?? false),
        },
      });
      await desk.tickers.refresh();
      return desk;
    }
  }

  safetyLine(
    8,
    "Double click, held Enter, reload and several windows with one draft make one order",
    async (proof) => {
      const counts = { submissions: 0, reloads: 0, duplicates: 0 };
      const rounds = await proof.property(
        1000,
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(windowPlan, { minLength: 2, maxLength: 3 }),
          answer,
          async (scheduler, plans, answered) => {
            const folder = mkdtempSync(join(directory, "round-"));
            const exchange = new FakeClient();
            exchange.bidAnswer = async () => {
              if (answered === "lost") throw new NoResponseError("placeBid", "connectionLost", "reset");
              if (answered === "refused") throw new RefusedError("placeBid", { code: 18, httpStatus: 200 });
              return answered === "never" ? await new Promise(() => {}) : { orderId: "1" };
            };
            const windows = await Promise.all(
              // The last generation is for the window that finds the draft again.
              plans.map(({ reloads }) => Window.open(reloads + 2, folder, exchange, scheduler)),
            );
            const outcomes: OrderOutcome[] = [];
            const submit = async (window: Window, confirmed: boolean): Promise<void> => {
              counts.submissions += 1;
              outcomes.push(await window.submit(confirmed));
            };
            for (const [index, { submissions, reloads }] of plans.entries()) {
              const window = windows[index] ?? assert.fail();
              for (const confirmed of submissions) {
                void scheduler.schedule(Promise.resolve(), "submit").then(() => submit(window, confirmed));
              }
              for (let reload = 0; reload < reloads; reload++) {
                counts.reloads += 1;
                void scheduler.schedule(Promise.resolve(), "reload").then(() => window.reload());
              }
            }
            await scheduler.waitIdle();
            assert.ok(exchange.calls.placeOrder <= 1, `${exchange.calls.placeOrder} POSTs`);
            // In every case one window now finds the draft again and submits it to the end; then another window does.
            for (const window of windows) {
              window.reload();
              void submit(window, true);
              await scheduler.waitIdle();
              assert.equal(exchange.calls.placeOrder, 1);
            }
            assert.ok(outcomes.filter((outcome) => "order" in outcome).length <= 1);
            counts.duplicates += outcomes.filter(({ kind }) => kind === "duplicate").length;
            const journal = openOrderJournal({ directory: join(folder, "orders"), now: Date.now });
            assert.equal(journal.orders().length, 1, "one order in the journal");
            journal.close();
            await Promise.all(windows.map((window) => window.close()));
            rmSync(folder, { recursive: true });
          },
        ),
      );
      return (
        `${rounds} interleavings of 2 or 3 windows: ${counts.submissions} submissions, ${counts.reloads} reloads, ` +
        `${counts.duplicates} rejected as duplicates, 1 POST each`
      );
    },
  );

  safetyLine(8, "Each draft is claimed exactly once by processes that race for the same drafts", async () => {
    const PROCESSES = 3;
    const ids = Array.from({ length: isFull() ? 1000 : 50 }, () => randomUUID());
    const gate = join(directory, "gate");
    const racers = Array.from({ length: PROCESSES }, () =>
      startAndRead<string[]>("test/support/processes/draftClaimer.ts", directory, gate),
    );
    await waitFor("all processes to wait", () => readdirSync(directory).length === PROCESSES);
    writeFileSync(`${gate}.next`, JSON.stringify(ids));
    renameSync(`${gate}.next`, gate);
    const claimed = (await Promise.all(racers)).map(({ line }) => line);
    assert.deepEqual(claimed.flat().sort(), ids.toSorted());
    return `${PROCESSES} processes, ${ids.length} drafts, claimed by ${claimed.map((each) => each.length).join(" + ")}: each once`;
  });
});
