import assert from "node:assert/strict";
import {
  type ExchangeError,
  NotSentError,
  RefusedError,
  UnreadableResponseError,
} from "../../../src/exchange/errors.ts";
import { meaningOf } from "../../../src/exchange/meaning.ts";
import type { Endpoint } from "../../../src/exchange/endpoints.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { testCredentials } from "../../support/builders/client.ts";
import { testReport } from "../../support/builders/reports.ts";
import {
  close,
  openTestDesk,
  readAll,
  submit,
  testSettings,
  unattended,
} from "../../support/desks/testDesk.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  snapshotOf,
  tickerOf,
  walletOf,
  byKind,
  liveAccount,
} from "../../support/fakes/venue.ts";
import { isPlaced } from "../../../src/storage/orders/order.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("the desk", () => {
  let storage: string;
  beforeEach(() => void (storage = temporaryFolder()));

  it("refuses an order at once while no exchange is open", async () => {
    // No time passes, so the refusal cannot come from a timeout.
    const desk = await openTestDesk({ client: new FakeClient(), storage, timers: new FakeTimers() });
    void desk.venue.select(liveAccount);
    assert.equal(desk.venue.venue, undefined);
    const draft = { symbol: "THB_BTC", amount: "1000", rate: "100" };
    assert.deepEqual(await submit(desk, draft), { kind: "noVenue" });
    await close(desk);
  });

  it("polls prices every 5 s while a person decides about an order, so that the check afterwards needs no request", async () => {
    const [client, timers] = [new FakeClient(), new FakeTimers()];
    client.tickersAnswer = async (gate) => {
      gate?.mayStillSend?.();
      return snapshotOf(tickerOf("THB_BTC", { last: 100 }));
    };
    const polls: number[] = [];
    const desk = await openTestDesk({
      client,
      storage,
      timers,
      window: unattended,
      settings: { ...testSettings, refreshInterval: () => 3_600_000 },
      ask: {
        confirmBeyond: () => assert.fail("asked"),
        confirm: async () => {
          polls.push(client.calls.tickers);
          await timers.advance(31_000);
          polls.push(client.calls.tickers);
          return true;
        },
      },
    });
    await readAll(desk);
    const { kind } = await submit(desk, { symbol: "THB_BTC", amount: "100", rate: "100" });
    assert.deepEqual([kind, (polls[1] ?? 0) - (polls[0] ?? 0)], ["accepted", 6]);
    await timers.advance(60_000);
    assert.equal(client.calls.tickers, polls[1], "no prices are visible");
    await close(desk);
  });

  it("ends a rate limit of orders when the clock is set back, for good", async () => {
    const client = new FakeClient();
    const timers = new FakeTimers();
    const desk = await openTestDesk({ client, storage, timers });
    await readAll(desk);
    const retryAt = timers.now() + 600_000;
    client.bidAnswer = () =>
      Promise.reject(new RefusedError("placeBid", { code: 30, httpStatus: 429, retryAt }));
    await submit(desk, { symbol: "THB_BTC", amount: "100", rate: "100" });
    const waitMs = (): number => desk.orders.waitMs(desk.venue.venue ?? assert.fail());
    assert.equal(waitMs(), 600_000);
    timers.sleep(-3_600_000);
    await timers.advance(2_000);
    assert.equal(waitMs(), 0);
    await timers.advance(3_600_000);
    assert.equal(waitMs(), 0, "also when the clock gets to that time again");
    await close(desk);
  });

  it("takes a bid of the whole balance again right after the first one was cancelled, in a window behind others", async () => {
    const timers = new FakeTimers();
    const exchange = new OneOrderExchange();
    const credentials = () => Promise.resolve(testCredentials);
    const practice = () =>
      Promise.resolve(openingOf("http://127.0.0.1:1", { credentials, addressMayChange: true }));
    const desk = await openTestDesk({
      client: exchange,
      storage,
      timers,
      window: unattended,
      openVenue: byKind({ practice, live: practice }),
    });
    await readAll(desk);
    const draft = { symbol: "THB_BTC", amount: "1000", rate: "99" };
    assert.equal((await submit(desk, draft)).kind, "accepted");
    await timers.advance(6_000);
    assert.equal(desk.balances.available("THB")?.toString(), "0");
    const targets = desk.orders.own.filter(isPlaced);
    const { canceller } = desk.following;
    assert.deepEqual(await canceller.cancel(targets), { kind: "sent", steps: ["accepted"] });
    await timers.advance(2_000);
    assert.equal((await submit(desk, draft)).kind, "accepted");
    await close(desk);
  });

  it("names the same problem for prices and balance once the exchange answers again, with an error", async () => {
    const timers = new FakeTimers();
    const client = new FakeClient();
    const desk = await openTestDesk({ client, storage, timers });
    desk.tickers.demand.add();
    await readAll(desk);
    const meanings = () => [desk.tickers, desk.balances].map(({ state }) => meaningOf(state.problem));
    const fail = (error: (endpoint: Endpoint) => ExchangeError): void => {
      client.tickersAnswer = () => Promise.reject(error("tickers"));
      client.walletAnswer = () => Promise.reject(error("wallet"));
    };
    for (const one of [desk.tickers, desk.balances]) {
      fail((endpoint) => new NotSentError(endpoint, "connectionRefused", ""));
      await timers.advance(600_000);
      assert.deepEqual(meanings(), ["connectionRefused", "connectionRefused"]);
      fail((endpoint) => new UnreadableResponseError(endpoint, "httpStatus", 503, ""));
      void one.refresh();
      await timers.advance(1);
      assert.deepEqual(meanings(), ["unavailable", "unavailable"]);
    }
    await close(desk);
  });

  it("reads the balance once in a second however many orders change", async () => {
    const timers = new FakeTimers();
    const client = new FakeClient();
    const desk = await openTestDesk({ client, storage, timers, window: unattended });
    await desk.orders.reread();
    const before = client.calls.wallet;
    const { signedIn: venue } = desk.venue;
    for (let id = 0; id < 20; id += 1) {
      await desk.orders.recordReports([testReport({ orderId: `${id}` })], venue ?? assert.fail());
      await timers.advance(100);
    }
    await timers.advance(2_000);
    assert.equal(client.calls.wallet - before, 3);
    await close(desk);
  });
});

/** Places one resting bid for the whole balance, which a cancellation releases. */
class OneOrderExchange extends FakeClient {
  #isOpen = false;

  constructor() {
    super();
    this.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    this.walletAnswer = () => Promise.resolve(walletOf({ THB: this.#isOpen ? "0" : "1000" }));
    this.bidAnswer = async () => {
      this.#isOpen = true;
      return { orderId: "7" };
    };
    this.capabilities = {
      cancelOrder: async () => {
        this.#isOpen = false;
        return "accepted";
      },
      openOrders: async ({ symbol, pair }) => ({
        orders: this.#isOpen
          ? [testReport({ symbol, pair, side: "buy", status: "open", amount: new Decimal("1000") })]
          : [],
        unreadable: [],
      }),
    };
  }
}
