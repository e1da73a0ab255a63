import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cancelStateOf, Canceller } from "../../src/desk/tracking/canceller.ts";
import type { OrderReads } from "../../src/desk/tracking/orderReads.ts";
import { OrderTracker } from "../../src/desk/tracking/orderTracker.ts";
import { NoResponseError, RefusedError } from "../../src/exchange/errors.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { Side } from "../../src/market/order.ts";
import { type Fill, hasEnded, type OrderReport, type OrderStatus } from "../../src/market/orderReport.ts";
import { acceptedOrder, openOrders, venueOf } from "../support/builders/orderDesk.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../support/fakes/venue.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const SECOND = 1000;
const QUANTITY = 10;

/** An exchange with one order, which is filled in parts while somebody cancels it. Answers get lost and come late. */
class Service {
  /** When each fill happens if nothing ends the order before. */
  readonly planned: readonly Fill[];
  cancelledAt: number | undefined;
  requests = 0;
  isReliable = false;
  readonly #timers: FakeTimers;
  readonly #random: Random;
  readonly #side: Side;
  readonly #began: number;
  readonly #offers: { readonly list: boolean; readonly info: boolean; readonly history: boolean };
  readonly #vanishes: boolean;
  readonly #hasOneWord: boolean;

  constructor(timers: FakeTimers, random: Random, side: Side) {
    this.#timers = timers;
    this.#random = random;
    this.#side = side;
    this.#began = timers.now();
    const rate = side === "buy" ? "99.75" : "100";
    let left = QUANTITY;
    const times = Array.from({ length: Math.floor(random() * 5) }, () => random() * 40 * SECOND);
    this.planned = times
      .sort((a, b) => a - b)
      .flatMap((ms, index) => {
        const part = random() < 0.4 ? left : Math.min(left, 1 + Math.floor(random() * 5));
        left -= part;
        return part === 0 ? [] : [testFill(`m${index}`, String(part), rate, this.#began + Math.ceil(ms))];
      });
    const list = random() < 0.8;
    this.#offers = { list, info: !list || random() < 0.7, history: random() < 0.7 };
    this.#vanishes = random() < 0.5;
    this.#hasOneWord = random() < 0.5;
  }

  fillsAt(at: number): readonly Fill[] {
    return this.planned.filter((fill) => fill.at <= Math.min(at, this.cancelledAt ?? at));
  }

  statusAt(at: number): OrderStatus {
    const fills = this.fillsAt(at);
    const done = fills.reduce((sum, { quantity }) => sum + Number(quantity.toFixed()), 0);
    if (done === QUANTITY) return "filled";
    if (this.cancelledAt === undefined || this.cancelledAt > at) return "open";
    return fills.length > 0 ? "partlyFilledCancelled" : "cancelled";
  }

  /** Whether some response reports this end reliably. */
  reportsEnd(end: OrderStatus): boolean {
    return this.#offers.info && !(end === "cancelled" && this.#vanishes);
  }

  readonly reads = (): OrderReads => ({
    openOrders: this.#offers.list
      ? () =>
          this.#answer(3, (at, askedAt) =>
            this.statusAt(at) === "open" ? this.#list([{ status: "open", askedAt }]) : this.#list([]),
          )
      : undefined,
    orderInfo: this.#offers.info
      ? () =>
          this.#answer(0, (at, askedAt) => {
            const status = this.statusAt(at);
            if (status === "cancelled" && this.#vanishes) return undefined;
            const word = status === "partlyFilledCancelled" && this.#hasOneWord ? "cancelled" : status;
            return this.#report({ status: word, fills: this.fillsAt(at), askedAt });
          })
      : undefined,
    orderHistory: this.#offers.history
      ? () =>
          this.#answer(20, (at, askedAt) => {
            const fills = this.fillsAt(at);
            const closedAt = this.statusAt(at) === "open" ? undefined : at;
            return fills.length === 0
              ? this.#list([])
              : this.#list([
                  { fills, askedAt, quantity: undefined, amount: undefined, rate: undefined, closedAt },
                ]);
          })
      : undefined,
  });

  /** A cancellation with its repetitions: a request or its answer may be lost, and it may have its effect later. */
  readonly cancel = async (): Promise<"accepted" | "unknownOrder"> => {
    for (let attempt = 0; attempt < 3; attempt++) {
      this.requests += 1;
      const chance = this.isReliable ? 1 : this.#random();
      if (chance < 0.05) throw new RefusedError("cancelOrder", { code: 52, httpStatus: 200 });
      if (chance < 0.25) continue;
      const delay = this.#random() < 0.2 ? this.#random() * 15 * SECOND : 0;
      await this.#wait(this.#random() * 2 * SECOND);
      const isOpen = this.statusAt(this.#timers.now()) === "open";
      const at = this.#timers.now() + delay;
      if (isOpen) this.cancelledAt = Math.min(this.cancelledAt ?? Number.POSITIVE_INFINITY, at);
      if (chance < 0.5) continue;
      return isOpen ? "accepted" : "unknownOrder";
    }
    throw new NoResponseError("cancelOrder", "timeout", "10 s");
  };

  #list(rows: readonly Partial<OrderReport>[]) {
    return { orders: rows.map((row) => this.#report(row)), unreadable: [] };
  }

  #report(row: Partial<OrderReport>): OrderReport {
    const size =
      this.#side === "buy"
        ? { amount: new Decimal("1000"), quantity: undefined }
        : { quantity: new Decimal(String(QUANTITY)) };
    return testReport({ side: this.#side, ...size, ...row });
  }

  /** The truth of up to `lag` seconds before the request, after some time. */
  async #answer<T>(lag: number, read: (at: number, askedAt: number) => T): Promise<T> {
    const askedAt = this.#timers.now();
    if (!this.isReliable && this.#random() < 0.2) throw new NoResponseError("cancelOrder", "timeout", "10 s");
    const answer = read(Math.max(this.#began, askedAt - Math.floor(this.#random() * lag * SECOND)), askedAt);
    await this.#wait(this.#random() * 4 * SECOND);
    return answer;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#timers.after(Math.ceil(ms), resolve));
  }
}

describe("a cancellation against a fill", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "cancel-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  safetyLine(27, "The shown end is the service's, and no filled order is called cancelled", async (proof) => {
    const counts: Record<string, number> = { filled: 0, cancelled: 0, partlyFilledCancelled: 0, open: 0 };
    const found = { unreported: 0, requests: 0, raced: 0 };
    const rounds = await proof.each(10_000, async ({ random, seed }) => {
      const folder = join(directory, String(seed));
      const timers = new FakeTimers(1_795_000_000_000, () => new Promise((resolve) => setImmediate(resolve)));
      const venue = await openVenue(new FakeClient());
      const side = pick(random, ["buy", "sell"] as const);
      const orders = openOrders(folder, timers, () => "00000000-0000-4000-8000-000000000001");
      await acceptedOrder(orders, venueOf(venue), "7", side);
      const service = new Service(timers, random, side);
      const tracker = new OrderTracker({
        orders,
        venue,
        timers,
        reads: service.reads,
        isMine: () => true,
        watched: () => [],
        log: () => undefined,
      });
      const ownOrder = () => orders.own[0] ?? assert.fail();
      const known = () => ownOrder().known ?? assert.fail();
      const wrong: string[] = [];
      const stop = tracker.onDidChange(() => {
        const { status } = known();
        const truth = service.statusAt(timers.now());
        // An end that is shown at any time is true by then.
        if (status !== undefined && status !== "open" && status !== truth)
          wrong.push(`${status}, but ${truth}`);
      });
      const canceller = new Canceller({
        orders,
        venue,
        now: timers.now,
        checkWake: () => undefined,
        cancelOf: () => service.cancel,
        isFrozen: () => false,
        confirm: () => Promise.resolve(true),
        check: (named) => tracker.check(named),
      });
      await timers.advance(Math.floor(random() * 40 * SECOND));
      const name = ownOrder().name ?? assert.fail();
      const asked = canceller.cancel([{ name, known: known() }]);
      await timers.advance(60 * SECOND);
      const outcome = await asked;
      assert.ok(outcome.kind === "asked");
      assert.ok(service.requests <= 3, "at most three requests");
      service.isReliable = true;
      await timers.advance(180 * SECOND);
      const truth = service.statusAt(timers.now());
      const { status } = known();
      assert.deepEqual(wrong, []);
      if (truth === "open") {
        assert.equal(hasEnded(known()), false);
        // The list or the order's info showed it as open long after the cancellation.
        assert.notEqual(cancelStateOf(ownOrder()), "cancelling");
      } else if (status !== truth) {
        // No response reported how the order ended: it is no longer listed, and is shown as neither.
        assert.ok(status === undefined || status === "open", `${status}, but ${truth}`);
        assert.ok(!service.reportsEnd(truth), `${truth} was reported`);
        found.unreported += 1;
      }
      if (service.cancelledAt !== undefined && truth !== "filled")
        assert.notEqual(ownOrder().cancel?.step, "stillOpen", "it was cancelled");
      counts[truth] = (counts[truth] ?? 0) + 1;
      found.requests += service.requests;
      if (outcome.steps.includes("notOpen") && truth === "filled") found.raced += 1;
      stop();
      tracker.dispose();
      await orders.close();
      rmSync(folder, { recursive: true, force: true });
    });
    return (
      `${rounds} schedules, ${found.requests} requests: ${counts["filled"]} filled (${found.raced} of them before the cancellation), ` +
      `${counts["cancelled"]} cancelled, ${counts["partlyFilledCancelled"]} partly filled and cancelled, ${counts["open"]} still open; ` +
      `0 shown as another end, ${found.unreported} whose end no response reported`
    );
  });
});
