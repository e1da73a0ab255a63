import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { OrderPlacer, type BidOutcome } from "../../src/desk/orders/orderPlacer.ts";
import { Orders } from "../../src/desk/orders/orders.ts";
import { NoAnswerError, RefusedError } from "../../src/exchange/errors.ts";
import { usualLimits, usualRules } from "../../src/market/order.ts";
import { openOrderJournal, type OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { draft, freshPrices } from "../support/fakes/bidDesk.ts";
import { FakeClient, openVenue, tickerOf } from "../support/fakes/venue.ts";
import { killAll, startAndRead } from "../support/processes/children.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

/** What one window does with the draft that every window was restored with. */
const windowPlan = fc.record({
  /** Each submission's answer to the confirmation: a double click or a held Enter are several at once. */
  submissions: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  /** How often the window is reloaded somewhere in between. */
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

  /** A window: its desk, its orders, and all that dies with it when it is reloaded. */
  class Window {
    readonly #folder: string;
    readonly #exchange: FakeClient;
    readonly #scheduler: fc.Scheduler;
    readonly #opened: OrderJournal[] = [];
    #answers: boolean[] = [];
    #life = 0;
    #desk: Promise<OrderPlacer>;

    constructor(folder: string, exchange: FakeClient, scheduler: fc.Scheduler) {
      this.#folder = folder;
      this.#exchange = exchange;
      this.#scheduler = scheduler;
      this.#desk = this.#start();
    }

    async submit(confirmed: boolean): Promise<BidOutcome> {
      this.#answers.push(confirmed);
      return await (await this.#desk).place(draft);
    }

    reload(): void {
      this.#life += 1;
      this.#answers = [];
      this.#desk = this.#start();
    }

    close(): void {
      for (const journal of this.#opened) journal.close();
    }

    async #start(): Promise<OrderPlacer> {
      const life = this.#life;
      /** Comes when the scheduler says, and never to a window that is gone by then. */
      const later = async <T>(what: string, value: () => T): Promise<T> => {
        await this.#scheduler.schedule(Promise.resolve(), what);
        return life === this.#life ? value() : await new Promise<never>(() => {});
      };
      const client = new FakeClient();
      client.bidAnswer = async (bid) => {
        const [result] = await Promise.allSettled([this.#exchange.placeBid(bid)]);
        return await later("answer", () => {
          if (result.status === "rejected") throw result.reason;
          return result.value;
        });
      };
      const venue = await openVenue(client);
      const orders = new Orders({
        open: () =>
          later("journal", () => {
            const journal = openOrderJournal({ directory: this.#folder, now: Date.now });
            this.#opened.push(journal);
            return journal;
          }),
        newId: randomUUID,
        now: Date.now,
        onError: (error) => assert.fail(String(error)),
      });
      return new OrderPlacer({
        rules: usualRules,
        now: Date.now,
        limits: () => usualLimits,
        prices: freshPrices,
        orders,
        venue,
        ticker: (symbol) => tickerOf(symbol),
        available: () => undefined,
        confirmAbove: () => assert.fail("asked"),
        confirm: () => later("confirmation", () => this.#answers.shift() ?? false),
        afterSending: () => undefined,
      });
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
              if (answered === "lost") throw new NoAnswerError("placeBid", "connectionLost", "reset");
              if (answered === "refused") throw new RefusedError("placeBid", { code: 18, httpStatus: 200 });
              return answered === "never" ? await new Promise(() => {}) : { orderId: "1" };
            };
            const windows = plans.map(() => new Window(folder, exchange, scheduler));
            const outcomes: BidOutcome[] = [];
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
            assert.ok(exchange.calls.placeBid <= 1, `${exchange.calls.placeBid} POSTs`);
            // Whatever came of it so far: somebody finds the draft again, and submits it for good; then somebody else does.
            for (const window of windows) {
              window.reload();
              void submit(window, true);
              await scheduler.waitIdle();
              assert.equal(exchange.calls.placeBid, 1);
            }
            assert.ok(outcomes.filter((outcome) => "bid" in outcome).length <= 1);
            counts.duplicates += outcomes.filter(({ kind }) => kind === "duplicate").length;
            const journal = openOrderJournal({ directory: folder, now: Date.now });
            assert.equal(journal.bids().length, 1, "one order in the journal");
            journal.close();
            for (const window of windows) window.close();
            rmSync(folder, { recursive: true });
          },
        ),
      );
      return (
        `${rounds} interleavings of 2 or 3 windows: ${counts.submissions} submissions, ${counts.reloads} reloads, ` +
        `${counts.duplicates} told of a duplicate, 1 POST each`
      );
    },
  );

  safetyLine(8, "Processes that race for the same drafts get each of them once", async (proof) => {
    const PROCESSES = 3;
    const ids = Array.from({ length: proof.rounds(1000) }, () => randomUUID());
    const gate = join(directory, "gate");
    const racers = Array.from({ length: PROCESSES }, () =>
      startAndRead<string[]>("test/support/processes/draftClaimer.ts", directory, gate),
    );
    await waitFor("all of them to wait", () => readdirSync(directory).length === PROCESSES);
    writeFileSync(`${gate}.next`, JSON.stringify(ids));
    renameSync(`${gate}.next`, gate);
    const claimed = (await Promise.all(racers)).map(({ line }) => line);
    assert.deepEqual(claimed.flat().sort(), ids.toSorted());
    return `${PROCESSES} processes, ${ids.length} drafts, claimed by ${claimed.map((each) => each.length).join(" + ")}: each once`;
  });
});
