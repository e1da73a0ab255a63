import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Capabilities } from "../../src/exchange/capabilities.ts";
import { NoResponseError } from "../../src/exchange/errors.ts";
import type { Features } from "../../src/exchange/features.ts";
import type { EndpointForm } from "../../src/exchange/endpoints.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../src/market/orderReport.ts";
import { testCredentials, testProfile } from "../support/builders/client.ts";
import { limitOrder } from "../support/builders/orderDesk.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { openDesk } from "../support/desks/windows.ts";
import { bringToFront, windowsInMemory } from "../support/desks/windowsInMemory.ts";
import { unsyncedComputer } from "../support/fakes/computer.ts";
import { FakeTimers, settle } from "../support/fakes/timers.ts";
import { FakeClient, openingOf } from "../support/fakes/venue.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const lost = new NoResponseError("placeBid", "timeout", "10 s");
const SECOND = 1000;
/** Every order, own or foreign, is a bid of exactly this amount. */
const AMOUNT = 1000;
const ORDERS = 4;

const capability = (path: string): EndpointForm => ({
  method: "POST",
  path,
  symbolOrder: "quoteFirst",
  symbolCase: "upper",
  envelope: "A",
});

/** One bid on the exchange. */
interface Row {
  readonly orderId: string;
  /** Of this desk or of another program; undefined: none, or the exchange dropped it. */
  readonly clientId: string | undefined;
  readonly placedAt: number;
  readonly filledAt: number;
  readonly cancelledAt: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** An exchange whose bids all have the same amount. */
class Service {
  readonly rows: Row[] = [];
  readonly features: Features;
  readonly #timers: FakeTimers;
  readonly #lagMs: number;
  readonly #dropsIds: boolean;

  constructor(timers: FakeTimers, random: Random) {
    this.#timers = timers;
    this.#lagMs = random() * 20 * SECOND;
    this.#dropsIds = random() < 0.1;
    const windowMs = random() < 0.5 ? 30 * SECOND : undefined;
    this.features = {
      openOrders: capability("/open"),
      orderHistory: capability("/history"),
      balances: capability("/balances"),
      clientOrderId: { duplicates: "unknown", ...(windowMs !== undefined && { windowMs }) },
    };
  }

  get dropsIds(): boolean {
    return this.#dropsIds;
  }

  /** A bid that is placed at `at`, and what happens to it. */
  place(random: Random, clientId: string | undefined, at: number): Row {
    const end = random();
    const later = at + 1 + Math.floor(random() * (random() < 0.3 ? 4 : 60) * SECOND);
    const row: Row = {
      orderId: String(this.rows.length + 1),
      clientId: this.#dropsIds ? undefined : clientId,
      placedAt: at,
      filledAt: end < 0.3 ? later : NEVER,
      cancelledAt: end > 0.8 ? later : NEVER,
    };
    this.rows.push(row);
    return row;
  }

  readonly capabilities: Capabilities = {
    openOrders: async () => ({
      orders: this.#placed()
        .filter((row) => this.#isOpen(row))
        .map((row) => this.#report(row, { status: "open" })),
      unreadable: [],
    }),
    orderHistory: async () => ({
      orders: this.rows
        .filter(({ filledAt }) => filledAt + this.#lagMs <= this.#timers.now())
        .map((row) =>
          this.#report(row, {
            closedAt: row.filledAt,
            fills: [testFill(row.orderId, "9.975", "100", row.filledAt)],
          }),
        ),
      unreadable: [],
    }),
  };

  wallet() {
    const placed = this.#placed();
    const reserved = placed.filter((row) => this.#isOpen(row)).length * AMOUNT;
    const spent = placed.filter(({ filledAt }) => filledAt <= this.#timers.now()).length * AMOUNT;
    const decimal = (value: number): Decimal => new Decimal(String(value));
    return new Map([
      ["THB", { available: decimal(100_000 - reserved - spent), reserved: decimal(reserved) }],
    ]);
  }

  #placed(): Row[] {
    return this.rows.filter(({ placedAt }) => placedAt <= this.#timers.now());
  }

  #isOpen({ filledAt, cancelledAt }: Row): boolean {
    return Math.min(filledAt, cancelledAt) > this.#timers.now();
  }

  #report({ orderId, clientId, placedAt }: Row, more: Partial<OrderReport>): OrderReport {
    const { amount } = limitOrder("buy");
    return testReport({
      side: "buy",
      orderId,
      clientId,
      amount,
      placedAt,
      askedAt: this.#timers.now(),
      ...more,
    });
  }
}

describe("orders with client ids and without an answer", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "ids-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  safetyLine(
    29,
    "Only its client id attributes an order, and absence proves only what the table says",
    async (proof) => {
      const counts = {
        orders: 0,
        accepted: 0,
        notPlaced: 0,
        gone: 0,
        neverArrived: 0,
        cancelled: 0,
        dropped: 0,
      };
      // Each round has four orders.
      const rounds = await proof.each(10_000 / ORDERS, async ({ random, seed }) => {
        const storage = join(directory, String(seed));
        const timers = new FakeTimers();
        const service = new Service(timers, random);
        const client = new FakeClient();
        client.capabilities = service.capabilities;
        client.walletAnswer = () => Promise.resolve(service.wallet());
        const profile = testProfile("http://127.0.0.1:1", {
          walletMethod: "GET",
          features: service.features,
        });
        const opening = () =>
          Promise.resolve({
            ...openingOf("http://127.0.0.1:1", { addressMayChange: true, profile }),
            credentials: () => Promise.resolve(testCredentials),
          });
        const desk = openDesk(storage, {
          client,
          timers,
          random,
          computer: unsyncedComputer,
          isVisible: false,
          openWindows: windowsInMemory(),
          openVenue: { practice: opening, live: opening },
        });
        bringToFront([desk], 0, false);
        await timers.advance(2 * SECOND);
        const venue = desk.venue.venue ?? assert.fail();
        const own = new Map<string, Row | undefined>();
        // In a quiet world, no order arrives and nothing else changes the balance.
        const isQuiet = random() < 0.2;
        for (let index = 0; index < ORDERS; index++) {
          desk.balances.refresh();
          await settle();
          const order = limitOrder("buy");
          const id = await desk.orders.recordIntent(order, venue, desk.balances.available("THB"));
          const clientId = desk.orders.clientIdOf(id);
          assert.match(clientId ?? "", /^BSD-[A-Z0-9]{25}$/);
          const arrives = !isQuiet && random() < 0.6;
          own.set(
            id,
            arrives ? service.place(random, clientId, timers.now() + Math.floor(random() * 4000)) : undefined,
          );
          if (!isQuiet && random() < 0.6) {
            const foreign = pick(random, [undefined, "OTHER-1", "BSD-0"]);
            service.place(random, foreign, timers.now() + Math.floor(random() * 20_000));
          }
          await desk.orders.recordOutcome(id, { kind: "unknown", venue, order, error: lost });
          await timers.advance(Math.floor(random() * 10 * SECOND));
        }
        await timers.advance(300 * SECOND);
        await settle();
        for (const { intent, state, orderId, settledBy } of desk.orders.own) {
          const row = own.get(intent.id);
          counts.orders += 1;
          if (state === "accepted") {
            counts.accepted += 1;
            assert.equal(orderId, row?.orderId, "0 wrong attributions");
            assert.equal(settledBy, undefined, "by proof, never by the balance");
            continue;
          }
          if (state === "notPlaced") {
            counts.notPlaced += 1;
            // An order that was cancelled before anybody saw it looks the same: it is neither open nor filled.
            assert.ok(
              !row || row.cancelledAt < timers.now(),
              "an open or filled order is never called not placed",
            );
            if (row) counts.gone += 1;
            assert.ok(service.features.clientOrderId?.windowMs);
            continue;
          }
          assert.equal(state, "unresolved");
          if (!row) {
            counts.neverArrived += 1;
            assert.ok(!isQuiet || !service.features.clientOrderId?.windowMs, "provable");
          } else if (service.dropsIds) counts.dropped += 1;
          else {
            counts.cancelled += 1;
            assert.notEqual(row.cancelledAt, NEVER, "an open or filled order is found");
          }
        }
        desk.dispose();
        await settle();
        rmSync(storage, { recursive: true, force: true });
      });
      return (
        `${counts.orders} unanswered bids in ${rounds} worlds among foreign bids of the same amount: ${counts.accepted} found, ` +
        `0 attributed wrongly; ${counts.notPlaced} proven neither open nor filled (${counts.gone} of them cancelled unseen); unresolved: ${counts.neverArrived} that never arrived, ` +
        `${counts.cancelled} cancelled unseen, ${counts.dropped} whose id the exchange dropped`
      );
    },
  );
});
