import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Orders } from "../../../../src/desk/orders/orders.ts";
import { UnknownOrders } from "../../../../src/desk/unknown/unknownOrders.ts";
import type { SignedIn } from "../../../../src/desk/venue.ts";
import type { Capabilities } from "../../../../src/exchange/capabilities.ts";
import type { NamedPair } from "../../../../src/market/pair.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import type { Features } from "../../../../src/exchange/features.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { testBid, testProfile } from "../../../support/builders/client.ts";
import { allFeatures } from "../../../support/builders/features.ts";
import { venueOf } from "../../../support/builders/orderDesk.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { unsyncedSystem } from "../../../support/fakes/operatingSystem.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openingOf, walletOf, currentVenue, byKind } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const lost = new NoResponseError("placeBid", "timeout", "10 s");
const MINUTE = 60_000;
const clientOrderId = { duplicates: "unknown", windowMs: 30_000 } as const;
const { balances: _, ...withoutBalances } = allFeatures("B", { clientOrderId });
const none = { orders: [], unreadable: [] };

describe("an unanswered order with a client id", () => {
  let close: () => Promise<void>;
  afterEach(() => close());

  /** An exchange that refuses requests older than 30 s, has empty lists, and a balance that does not change. */
  async function begin({
    features = allFeatures("B", { clientOrderId }),
    capabilities = { openOrders: async () => none, orderHistory: async () => none },
    clock = { offset: 0 },
  }: {
    features?: Features;
    capabilities?: Capabilities;
    /** "unknown": nobody has measured the exchange's clock. */
    clock?: { readonly offset: number } | "unknown";
  } = {}) {
    const directory = temporaryFolder();
    const timers = new FakeTimers();
    const client = new FakeClient();
    client.clock = clock === "unknown" ? undefined : { ...clock, at: timers.now() };
    client.capabilities = capabilities;
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "5000" }));
    const profile = testProfile("https://exchange.example", { features });
    const open = () => Promise.resolve({ ...openingOf(profile.baseUrl.origin), profile });
    const venue = currentVenue({
      open: byKind({ practice: open, live: open }),
      createClient: () => client,
    });
    await venue.select(practiceAccount);
    await venue.signIn("wallet");
    const orders = new Orders({
      open: () => Promise.resolve(openOrderJournal({ directory, now: timers.now, os: unsyncedSystem })),
      newId: randomUUID,
      now: timers.now,
      reserved: () => new Decimal("0"),
      onError: (error) => assert.fail(String(error)),
    });
    const unknown = new UnknownOrders({ orders, venue, timers, random: () => 0.5, isMine: () => true });
    close = async () => {
      unknown.dispose();
      await orders.close();
    };
    const order = testBid("1000");
    const lose = async (sentTo: SignedIn = venueOf(venue)): Promise<string> => {
      const id = await orders.recordIntent(order, sentTo, new Decimal("5000"));
      await orders.recordOutcome(id, { kind: "unknown", venue: sentTo, order, error: lost });
      return id;
    };
    /** The same exchange when it took no client ids. */
    const withoutIds = (): SignedIn => {
      const { profile, ...rest } = venueOf(venue);
      return { ...rest, profile: { ...profile, features: {} } };
    };
    const orderOf = (id: string): OwnOrder =>
      orders.own.find(({ intent }) => intent.id === id) ?? assert.fail();
    const states = (): string[] => orders.own.map(({ state }) => state);
    return { timers, client, orders, unknown, lose, withoutIds, orderOf, states };
  }

  it("was not placed, if it is nowhere and the exchange refuses a request as old as that", async () => {
    for (const clock of [{ offset: 0 }, "unknown"] as const) {
      const desk = await begin({ clock });
      await desk.lose();
      await desk.timers.advance(20_000);
      assert.deepEqual(desk.states(), ["unknown"], "the request may still be on its way");
      await desk.timers.advance(40_000);
      assert.deepEqual(desk.states(), ["notPlaced"]);
      await close();
    }
  });

  it("gets the exchange's id from the list", async () => {
    const rows: OrderReport[] = [];
    const capabilities = { openOrders: async () => ({ orders: rows, unreadable: [] }) };
    const desk = await begin({ capabilities });
    const id = await desk.lose();
    rows.push(testReport({ orderId: "8", side: "buy", clientId: desk.orderOf(id).intent.clientId }));
    await desk.timers.advance(10_000);
    assert.deepEqual([desk.orderOf(id).state, desk.orderOf(id).orderId], ["accepted", "8"]);
  });

  it("is left to the user if the exchange no longer takes client ids", async () => {
    const { clientOrderId: __, ...features } = allFeatures("B");
    const desk = await begin({ features });
    const { profile, ...rest } = desk.withoutIds();
    await desk.lose({ ...rest, profile: { ...profile, features: allFeatures("B", { clientOrderId }) } });
    await desk.timers.advance(5 * MINUTE);
    assert.deepEqual(desk.states(), ["unresolved"]);
  });

  const doubts: readonly (readonly [string, Parameters<typeof begin>[0]])[] = [
    [
      "no maximum age of a request is known",
      { features: allFeatures("B", { clientOrderId: { duplicates: "unknown" } }) },
    ],
    ["the exchange does not report reserved balances", { features: withoutBalances }],
    ["the exchange's clock is an hour ahead", { clock: { offset: 60 * MINUTE } }],
    ["the exchange's clock is an hour behind", { clock: { offset: -60 * MINUTE } }],
    ["no open orders are offered", { capabilities: { orderHistory: async () => none } }],
    ["no history is offered", { capabilities: { openOrders: async () => none } }],
    [
      "the open orders cannot be read",
      { capabilities: { openOrders: () => Promise.reject(lost), orderHistory: async () => none } },
    ],
    [
      "the history cannot be read",
      { capabilities: { openOrders: async () => none, orderHistory: () => Promise.reject(lost) } },
    ],
    [
      "a row of the open orders cannot be read",
      {
        capabilities: {
          openOrders: async () => ({ orders: [], unreadable: ["#0"] }),
          orderHistory: async () => none,
        },
      },
    ],
  ];
  for (const [reason, given] of doubts)
    it(`is left to the user if ${reason}`, async () => {
      const desk = await begin(given);
      await desk.lose();
      await desk.timers.advance(5 * MINUTE);
      assert.deepEqual(desk.states(), ["unresolved"]);
    });

  for (const [where, given] of [
    ["no list", { capabilities: {} }],
    ["lists", {}],
  ] as const)
    it(`is never judged by the balance where the exchange offers ${where}`, async () => {
      const desk = await begin(given);
      await desk.lose();
      desk.client.walletAnswer = () => Promise.resolve(walletOf({ THB: "4000" }));
      await desk.timers.advance(5 * MINUTE);
      assert.deepEqual(desk.states(), ["unresolved"]);
    });

  it("is searched for in the lists of its pair, from a minute before the oldest such order", async () => {
    const asked: unknown[] = [];
    const rows: OrderReport[] = [];
    const desk = await begin({
      capabilities: {
        openOrders: async ({ symbol, pair }: NamedPair) => {
          asked.push([symbol, pair]);
          return { orders: rows, unreadable: [] };
        },
        orderHistory: async ({ symbol, pair, from }) => {
          asked.push([symbol, pair, from]);
          return none;
        },
      },
    });
    const sentAt = desk.timers.now();
    const ids = [await desk.lose()];
    await desk.timers.advance(1000);
    ids.push(await desk.lose());
    // Both are due for the first time.
    desk.timers.sleep(10_000);
    await desk.timers.advance(1000);
    const named = ["THB_BTC", { quote: "THB", base: "BTC" }];
    assert.deepEqual(asked, [named, [...named, sentAt - MINUTE]]);
    // The user asks about one: that order alone is searched for.
    const second = desk.orders.own.find(({ intent }) => intent.id === ids[1]) ?? assert.fail();
    const { clientId } = second.intent;
    rows.push(testReport({ orderId: "8", side: "buy", clientId }));
    asked.length = 0;
    await desk.unknown.check(second);
    assert.deepEqual(asked.at(-1), [...named, sentAt + 1000 - MINUTE]);
    assert.deepEqual(
      ids.map((id) => desk.orders.own.find(({ intent }) => intent.id === id)?.state),
      ["unknown", "accepted"],
    );
  });
});
