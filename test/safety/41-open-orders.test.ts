import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrderReads } from "../../src/desk/tracking/orderReads.ts";
import { OrderTracker } from "../../src/desk/tracking/orderTracker.ts";
import { NoResponseError } from "../../src/exchange/errors.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { Fill, OrderReport, ReportSource } from "../../src/market/orderReport.ts";
import { hasEnded, isUnlisted } from "../../src/market/orders/knownOrder.ts";
import { acceptedOrder, openOrders, venueOf } from "../support/builders/orderDesk.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../support/fakes/venue.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const SECOND = 1000;
const QUANTITY = 10;
const TROUBLES = [undefined, "empty", "unknown", "outage", "stale", "down"] as const;

/**
 * An exchange with one order to sell 10, which may be filled in parts and cancelled. For a while, its list is empty, its
 * order info knows nothing, its list is stale, or nothing answers. It may give the rest of the order a new id.
 */
class Service {
  readonly fills: Fill[] = [];
  /** The id that the order had at each fill. */
  readonly filledAs: string[] = [];
  isCancelled = false;
  /** How far its clock is ahead of this computer's, which was set back, ms. */
  aheadMs = 0;
  trouble: (typeof TROUBLES)[number];
  id = "7";
  readonly offers: { readonly list: boolean; readonly info: boolean; readonly history: boolean };
  readonly #continues: boolean;
  readonly #tellsRest: boolean;
  readonly #timers: FakeTimers;
  #rows: readonly OrderReport[] = [];

  constructor(timers: FakeTimers, random: Random) {
    this.#timers = timers;
    const list = random() < 0.8;
    const info = !list || random() < 0.6;
    this.offers = { list, info, history: !info || random() < 0.5 };
    this.#continues = list && random() < 0.4;
    this.#tellsRest = random() < 0.5;
  }

  get left(): number {
    return this.fills.reduce((rest, { quantity }) => rest - Number(quantity.toFixed()), QUANTITY);
  }

  get isOpen(): boolean {
    return !this.isCancelled && this.left > 0;
  }

  fill(quantity: number): void {
    if (!this.isOpen) return;
    const fill = testFill(
      `m${this.fills.length}`,
      String(Math.min(quantity, this.left)),
      "100",
      this.#timers.now() + this.aheadMs,
    );
    this.fills.push(fill);
    this.filledAs.push(this.id);
    if (this.#continues && this.isOpen) this.id = String(Number(this.id) + 100);
  }

  readonly reads = (): OrderReads => ({
    openOrders: this.offers.list
      ? async () => {
          this.#answer();
          if (this.trouble !== "stale") this.#rows = this.isOpen ? [this.#row()] : [];
          const isEmpty = this.trouble === "empty" || this.trouble === "outage";
          return { orders: isEmpty ? [] : this.#rows, unreadable: [] };
        }
      : undefined,
    orderInfo: this.offers.info
      ? async ({ orderId }) => {
          this.#answer();
          if (this.trouble === "unknown" || this.trouble === "outage") return undefined;
          const isPart = this.fills.length > 0;
          const end = this.left === 0 ? "filled" : isPart ? "partlyFilledCancelled" : "cancelled";
          return this.#report("info", {
            orderId,
            ...this.#links(orderId),
            status: this.isOpen ? "open" : end,
            fills: this.fills,
          });
        }
      : undefined,
    orderHistory: this.offers.history
      ? async () => {
          this.#answer();
          const closedAt = this.isOpen ? undefined : this.#timers.now() + this.aheadMs;
          const ids = this.trouble === "outage" ? [] : [...new Set(this.filledAs)];
          const orders = ids.map((orderId) => {
            const fills = this.fills.filter((_, index) => this.filledAs[index] === orderId);
            return this.#report("history", {
              orderId,
              fills,
              rate: undefined,
              quantity: undefined,
              closedAt,
            });
          });
          return { orders, unreadable: [] };
        }
      : undefined,
  });

  #row(): OrderReport {
    const quantity = new Decimal(String(this.#tellsRest || this.#continues ? this.left : QUANTITY));
    return this.#report("list", { orderId: this.id, ...this.#links(this.id), status: "open", quantity });
  }

  #links(orderId: string): Partial<OrderReport> {
    const parent = this.filledAs.findLast((id) => id !== this.id) ?? "7";
    const otherIds = [...new Set(["7", parent, this.id])].filter((id) => id !== orderId);
    return this.id === "7" ? {} : { otherIds, ...(orderId !== this.id && { laterId: this.id }) };
  }

  #report(source: ReportSource, row: Partial<OrderReport>): OrderReport {
    return testReport({ source, status: undefined, ...row, askedAt: this.#timers.now() });
  }

  #answer(): void {
    if (this.trouble === "down") throw new NoResponseError("openOrders", "timeout", "10 s");
  }
}

describe("an open order", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "bidside-open-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const claim =
    "An order that the exchange holds open is never shown as ended; what was only inferred yields to any report";
  safetyLine(41, claim, async (proof) => {
    const counts = {
      checks: 0,
      notListed: 0,
      open: 0,
      filled: 0,
      cancelled: 0,
      newIds: 0,
      unlinked: 0,
      restarts: 0,
    };
    const rounds = await proof.each(1_000, async ({ random, seed }) => {
      const folder = join(directory, String(seed));
      const timers = new FakeTimers(1_795_000_000_000, () => new Promise((resolve) => setImmediate(resolve)));
      const client = new FakeClient();
      client.clock = { offset: 0, at: timers.now() };
      const venue = await openVenue(client);
      const service = new Service(timers, random);
      const begin = async () => {
        const orders = openOrders(folder, timers, () => "00000000-0000-4000-8000-000000000001");
        await orders.reread();
        const tracker = new OrderTracker({
          orders,
          venue,
          timers,
          reads: service.reads,
          isMine: () => true,
          visiblePairs: () => undefined,
          log: () => undefined,
        });
        return { orders, tracker };
      };
      let desk = await begin();
      await acceptedOrder(desk.orders, venueOf(venue), "7");
      const own = () => desk.orders.own[0] ?? assert.fail();
      const known = () => own().known ?? assert.fail();
      const check = (): void => {
        counts.checks += 1;
        if (!service.isOpen) return;
        assert.equal(hasEnded(known()), false, "an open order is shown as ended");
        if (isUnlisted(known())) counts.notListed += 1;
      };
      for (let step = 0; step < 40; step += 1) {
        const chance = random();
        if (chance < 0.06) service.trouble = pick(random, TROUBLES);
        else if (chance < 0.12) service.fill(1 + Math.floor(random() * 4));
        else if (chance < 0.13) service.isCancelled ||= service.isOpen;
        else if (chance < 0.15) {
          timers.sleep(-3_600_000);
          service.aheadMs += 3_600_000;
          client.clock = { offset: service.aheadMs, at: timers.now() };
        } else if (chance < 0.18) {
          desk.tracker.dispose();
          await desk.orders.close();
          desk = await begin();
          counts.restarts += 1;
        }
        await timers.advance(10 * SECOND);
        check();
      }
      service.trouble = undefined;
      for (let step = 0; step < 20; step += 1) {
        await timers.advance(30 * SECOND);
        check();
      }
      const { status, fills } = known();
      // Nothing shows that an id belongs to the order if the list never had it.
      const ids = known().ids;
      const isLinked = service.filledAs.every((id) => id === "7" || ids.includes(id));
      if (isLinked) {
        assert.deepEqual(
          fills.map(({ id }) => id).toSorted(),
          service.fills.map(({ id }) => id),
        );
        const trades = desk.orders.trades?.all()[0]?.trades ?? [];
        assert.equal(trades.length, service.fills.length, "each fill once");
      } else counts.unlinked += 1;
      if (service.isOpen) {
        const isReported = service.offers.list || service.offers.info;
        assert.equal(isUnlisted(known()), false);
        assert.equal(isReported && known().currentId, service.id);
        assert.equal(own().name?.orderId, "7");
        counts.open += 1;
      } else if (service.left === 0) {
        assert.ok(status === "filled" || !isLinked);
        counts.filled += 1;
      } else {
        assert.ok(status === "cancelled" || status === "partlyFilledCancelled" || !service.offers.info);
        counts.cancelled += 1;
      }
      if (service.id !== "7") counts.newIds += 1;
      desk.tracker.dispose();
      await desk.orders.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return (
      `${rounds} orders, ${counts.checks} checks, ${counts.restarts} restarts: ${counts.notListed} of an open order that no list had, ` +
      `0 at an open order shown as ended; at the end ${counts.open} open, ${counts.filled} filled, ${counts.cancelled} cancelled, ` +
      `${counts.newIds} under a new id, ${counts.unlinked} of them with an id that nothing linked`
    );
  });
});
