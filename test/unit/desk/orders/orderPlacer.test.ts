import assert from "node:assert/strict";
import { draftKey } from "../../../../src/desk/orders/draftKey.ts";
import { Event } from "../../../../src/desk/event.ts";
import { OrderPlacer, type OrderOutcome } from "../../../../src/desk/orders/orderPlacer.ts";
import {
  NoResponseError,
  NotSentError,
  RefusedError,
  UnreadableResponseError,
} from "../../../../src/exchange/errors.ts";
import type { ServiceProfile } from "../../../../src/exchange/profile.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { defaultLimits, defaultRules, type LimitOrder } from "../../../../src/market/order.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { testBid, endpointsAt } from "../../../support/builders/client.ts";
import { placerOf, draft, freshPrices, noOrders } from "../../../support/fakes/orderPlacer.ts";
import { settle } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  tickerOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";

async function outcomeOf(error: unknown): Promise<{ outcome: OrderOutcome; sent: number }> {
  const { placer, client } = await placerOf();
  client.bidAnswer = () => Promise.reject(error);
  return { outcome: await placer.place(draft), sent: client.calls.placeOrder };
}

describe("placing a bid", () => {
  it("sends once what was confirmed, and reports that the balance may have changed", async () => {
    const confirmed: LimitOrder[] = [];
    const { placer, client, seen } = await placerOf(async ({ order: bid }) => confirmed.push(bid) > 0);
    const sent: LimitOrder[] = [];
    client.bidAnswer = async (bid) => {
      sent.push(bid);
      return { orderId: "77" };
    };
    const outcome = await placer.place(draft);
    assert.equal(outcome.kind, "accepted");
    assert.deepEqual(sent, confirmed);
    assert.equal(plainText(sent[0]?.quantity ?? assert.fail()), "9.92537313");
    assert.equal(seen.afterSending, 1);
  });

  it("records the bid before it is sent, and the outcome afterwards", async () => {
    const steps: string[] = [];
    const { placer, client } = await placerOf(undefined, {
      orders: {
        ...noOrders,
        claim: async (id) => steps.push(`claim ${id}`) > 0,
        recordIntent: async ({ symbol }, venue, available) => {
          steps.push(`intent ${symbol} ${venue.name} ${plainText(available ?? assert.fail())}`);
          return "77";
        },
        recordOutcome: async (id, { kind }) => void steps.push(`${id} ${kind}`),
      },
    });
    client.bidAnswer = async () => {
      steps.push("sent");
      throw new NoResponseError("placeBid", "timeout", "10 s");
    };
    await placer.place(draft);
    const key = draftKey(draft.id, testBid(draft.amount, draft.rate));
    assert.deepEqual(steps, [`claim ${key}`, "intent THB_BTC Practice 5000", "sent", "77 unknown"]);
  });

  it("sends nothing that cannot be recorded", async () => {
    const error = new Error("no space left on device");
    const refuse = (): Promise<never> => Promise.reject(error);
    for (const refused of [
      { isClaimed: refuse, claim: () => assert.fail("claimed") },
      { openLike: refuse, claim: () => assert.fail("claimed") },
      { claim: refuse, recordIntent: () => assert.fail("begun") },
      { recordIntent: refuse },
    ]) {
      const { placer, client, seen } = await placerOf(undefined, {
        orders: { ...noOrders, ...refused, recordOutcome: () => assert.fail("recorded") },
      });
      assert.deepEqual(await placer.place(draft), { kind: "notRecorded", error });
      assert.equal(client.calls.placeOrder, 0);
      assert.equal(seen.afterSending, 0);
    }
  });

  it("sends nothing without the confirmation", async () => {
    const { placer, client, seen } = await placerOf(() => Promise.resolve(false));
    assert.deepEqual(await placer.place(draft), { kind: "cancelled" });
    assert.equal(client.calls.placeOrder, 0);
    assert.equal(seen.afterSending, 0);
  });

  it("gives both confirmations the orders that may already be placed", async () => {
    const open = [{ state: "unknown" }] as unknown as readonly OwnOrder[];
    const asked: unknown[] = [];
    const { placer } = await placerOf(undefined, {
      confirmBeyond: async (question) => asked.push(["rate", question.open]) > 0,
      confirm: async (question) => asked.push(["order", question.open]) > 0,
      orders: {
        ...noOrders,
        openLike: async ({ symbol }, { name }) => (symbol === "THB_BTC" && name === "Practice" ? open : []),
      },
    });
    await placer.place({ ...draft, rate: "110" });
    assert.deepEqual(asked, [
      ["rate", open],
      ["order", open],
    ]);
  });

  it("does not ask for confirmation of a bid that cannot be sent", async () => {
    const { placer } = await placerOf(() => assert.fail("asked"));
    const outcome = await placer.place({ ...draft, amount: "6000", rate: "1,5" });
    assert.deepEqual(outcome.kind === "invalid" && outcome.problems.map(({ field, code }) => [field, code]), [
      ["amount", "aboveAvailable"],
      ["rate", "notDecimal"],
    ]);
  });

  it("takes one bid at a time", async () => {
    let confirm: (answer: boolean) => void = () => assert.fail();
    const { placer, client } = await placerOf(() => new Promise((resolve) => (confirm = resolve)));
    assert.equal(placer.isBusy, false);
    const first = placer.place(draft);
    assert.equal(placer.isBusy, true);
    assert.deepEqual(await placer.place(draft), { kind: "busy" });
    await settle();
    confirm(true);
    assert.equal((await first).kind, "accepted");
    assert.equal(client.calls.placeOrder, 1);
    const next = placer.place(draft);
    await settle();
    confirm(false);
    assert.equal((await next).kind, "cancelled");
    assert.equal(placer.isBusy, false);
  });

  it("sends the client id of its record with what was confirmed", async () => {
    for (const clientId of ["BSD-1", undefined]) {
      let confirmed: LimitOrder | undefined;
      const { placer, client } = await placerOf(async ({ order }) => (confirmed = order) !== undefined, {
        orders: { ...noOrders, clientIdOf: (id) => (id === "id" ? clientId : assert.fail(id)) },
      });
      let sent: LimitOrder | undefined;
      client.bidAnswer = async (order) => {
        sent = order;
        return { orderId: "1" };
      };
      await placer.place(draft);
      assert.deepEqual(sent, clientId === undefined ? confirmed : { ...confirmed, clientId });
    }
  });

  it("reports changed pair rules if the exchange states them", async () => {
    const { placer } = await placerOf();
    placer.onDidChangeRules(() => assert.fail("there are no rules of pairs"))();
    const changes = new Event<void>();
    const pairRules = { rulesOf: () => defaultRules, onDidChange: changes.add };
    const { placer: withRules } = await placerOf(undefined, { pairRules });
    let changed = 0;
    const stop = withRules.onDidChangeRules(() => (changed += 1));
    changes.fire();
    stop();
    changes.fire();
    assert.equal(changed, 1);
  });

  it("sends nothing when the venue changed during the confirmation", async () => {
    const parts = await placerOf(async () => {
      await parts.venue.select(liveAccount);
      return true;
    });
    assert.deepEqual(await parts.placer.place(draft), { kind: "venueChanged" });
    assert.equal(parts.client.calls.placeOrder, 0);
  });

  const otherSettings: [what: string, changes: Partial<ServiceProfile>][] = [
    ["paths", { endpoints: endpointsAt({ placeBid: "/api/v3/market/place-bid" }) }],
    ["header prefix", { headerPrefix: "X-Other-" }],
    ["wallet method", { walletMethod: "POST" }],
    ["symbol order", { symbolOrder: "baseFirst" }],
    ["history path", { historyPath: "/tradingview/history" }],
    ["features", { features: { postOnly: true } }],
    ["path prefix", { baseUrl: new URL("https://api.example.com/v2") }],
    ["port", { baseUrl: new URL("https://api.example.com:8443") }],
  ];
  for (const [what, changes] of otherSettings) {
    it(`sends nothing when the exchange's ${what} changed during the confirmation`, async () => {
      const given = openingOf("https://api.example.com");
      let opening = given;
      const clients: FakeClient[] = [];
      const venue = currentVenue({
        open: byKind({ practice: () => assert.fail("opened"), live: () => Promise.resolve(opening) }),
        createClient: () => clients[clients.push(new FakeClient()) - 1] ?? assert.fail(),
      });
      await venue.select(liveAccount);
      const settingsBecome = async (profile: ServiceProfile): Promise<boolean> => {
        opening = { ...given, profile };
        await venue.select(liveAccount);
        return true;
      };
      const placeWhile = async (profile: ServiceProfile): Promise<OrderOutcome["kind"]> => {
        const { placer } = await placerOf(() => settingsBecome(profile), { venue });
        return (await placer.place(draft)).kind;
      };
      assert.equal(await placeWhile({ ...given.profile, ...changes }), "venueChanged");
      assert.equal(
        clients.reduce((sum, { calls }) => sum + calls.placeOrder, 0),
        0,
      );
    });
  }

  it("sends nothing while no venue is open", async () => {
    const { client } = await placerOf();
    const placer = new OrderPlacer({
      rules: defaultRules,
      checkWake: () => undefined,
      now: Date.now,
      venue: {
        venue: undefined,
        signedIn: undefined,
        signIn: () => assert.fail("signed in"),
        onDidChange: () => () => undefined,
      },
      ticker: () => undefined,
      available: () => undefined,
      confirm: () => assert.fail("asked"),
      orders: noOrders,
      limits: () => defaultLimits,
      prices: freshPrices,
      confirmBeyond: () => assert.fail("asked"),
      afterSending: () => assert.fail("sent"),
    });
    assert.deepEqual(await placer.place(draft), { kind: "noVenue" });
    assert.equal(client.calls.placeOrder, 0);
  });

  it("is rejected only by an answer that proves it", async () => {
    const { outcome, sent } = await outcomeOf(new RefusedError("placeBid", { code: 18, httpStatus: 200 }));
    assert.equal(outcome.kind, "rejected");
    assert.equal(sent, 1);
  });

  it("is not sent if no byte left the computer", async () => {
    assert.equal(
      (await outcomeOf(new NotSentError("placeBid", "unreachable", "refused"))).outcome.kind,
      "notSent",
    );
  });

  const doubtful: [string, unknown][] = [
    ["no answer in time", new NoResponseError("placeBid", "timeout", "10 s")],
    ["a lost connection", new NoResponseError("placeBid", "connectionLost", "reset")],
    ["an error page", new UnreadableResponseError("placeBid", "httpStatus", 502, "HTML")],
    ["a redirect", new UnreadableResponseError("placeBid", "redirect", 307, "")],
    ["error 19", new RefusedError("placeBid", { code: 19, httpStatus: 200 })],
    ["error 90", new RefusedError("placeBid", { code: 90, httpStatus: 200 })],
    ["an undocumented code", new RefusedError("placeBid", { code: 4711, httpStatus: 200 })],
    ["a text code", new RefusedError("placeBid", { code: "V1007-CW", httpStatus: 400 })],
    ["an unexpected error", new TypeError("boom")],
  ];
  for (const [what, error] of doubtful) {
    it(`is unknown after ${what}, and is not sent again`, async () => {
      const { outcome, sent } = await outcomeOf(error);
      assert.equal(outcome.kind, "unknown");
      assert.equal(sent, 1);
    });
  }
});

describe("a bid above the last price", () => {
  const above = { ...draft, rate: "102.01" };

  it("is sent after two confirmations, the explicit confirmation first", async () => {
    const asked: string[] = [];
    const { placer, client } = await placerOf(async () => asked.push("confirm") > 0, {
      confirmBeyond: async ({ order: bid, venue }) => {
        asked.push(`${plainText(bid.beyondLastPercent ?? assert.fail())} % on ${venue.name}`);
        return true;
      },
    });
    assert.equal((await placer.place(above)).kind, "accepted");
    assert.deepEqual(asked, ["2.01 % on Practice", "confirm"]);
    assert.equal(client.calls.placeOrder, 1);
  });

  it("is not sent without the first of the two confirmations", async () => {
    for (const given of [{ confirmBeyond: () => Promise.resolve(false) }, {}]) {
      const { placer, client } = await placerOf(() => assert.fail("asked"), given);
      assert.deepEqual(await placer.place(above), { kind: "cancelled" });
      assert.equal(client.calls.placeOrder, 0);
    }
  });

  it("needs no second confirmation up to the limit", async () => {
    const { placer } = await placerOf(undefined, { confirmBeyond: () => assert.fail("asked") });
    assert.equal((await placer.place({ ...draft, rate: "102" })).kind, "accepted");
  });

  it("is refused above the second limit, without a confirmation", async () => {
    const { placer } = await placerOf(() => assert.fail("asked"), {
      confirmBeyond: () => assert.fail("asked"),
    });
    const outcome = await placer.place({ ...draft, rate: "120.01" });
    assert.equal(outcome.kind === "invalid" && outcome.problems[0]?.code, "farAboveLast");
  });

  it("uses the current limits, also if they changed after the last bid", async () => {
    let limits = defaultLimits;
    const { placer } = await placerOf(undefined, { limits: () => limits });
    assert.equal((await placer.place(draft)).kind, "accepted");
    limits = { ...defaultLimits, maximumAmount: new Decimal("999.99") };
    const outcome = await placer.place(draft);
    assert.equal(outcome.kind === "invalid" && outcome.problems[0]?.code, "aboveMaximum");
  });
});

describe("a confirmation that stayed open", () => {
  const codeOf = (outcome: OrderOutcome): string | false =>
    outcome.kind === "invalid" && outcome.problems.map(({ field, code }) => `${field} ${code}`).join();

  it("sends nothing if the price is stale by then", async () => {
    for (const [later, sent] of [
      [{ ageMs: 10_000, isStale: false }, 1],
      [{ ageMs: 10_001, isStale: false }, 0],
      [{ ageMs: 3_600_000, isStale: false }, 0],
      [{ ageMs: 0, isStale: true }, 0],
    ] as const) {
      const prices = { ageMs: 9_000, isStale: false };
      const { placer, client, seen } = await placerOf(
        async () => Object.assign(prices, later) !== undefined,
        { prices },
      );
      const outcome = await placer.place(draft);
      assert.equal(sent ? outcome.kind : codeOf(outcome), sent ? "accepted" : "pair priceTooOld");
      assert.equal(client.calls.placeOrder, sent);
      assert.equal(seen.afterSending, sent);
    }
  });

  it("does not open while the price is stale or missing", async () => {
    for (const [ageMs, code] of [
      [10_001, "pair priceTooOld"],
      [undefined, "pair noPrice"],
    ] as const) {
      const { placer } = await placerOf(() => assert.fail("asked"), {
        prices: { ageMs, isStale: false },
      });
      assert.equal(codeOf(await placer.place(draft)), code);
    }
  });

  it("sends nothing that the current market or balance no longer allows", async () => {
    const later: [string, (state: { last: number; available: string }) => void][] = [
      ["rate aboveLastNow", (state) => (state.last = 98.52)],
      ["rate farAboveLast", (state) => (state.last = 83.74)],
      ["amount aboveAvailable", (state) => (state.available = "999.99")],
    ];
    for (const [code, happen] of later) {
      const state = { last: 100, available: "1000" };
      const { placer, client } = await placerOf(async () => happen(state) === undefined || true, {
        ticker: (symbol) => tickerOf(symbol, { last: state.last }),
        available: () => new Decimal(state.available),
      });
      assert.equal(codeOf(await placer.place(draft)), code);
      assert.equal(client.calls.placeOrder, 0);
    }
  });

  it("sends a rate confirmed as above the last price, unless the price then falls by more than the limit", async () => {
    for (const [later, sent] of [
      [97, 1],
      [96.5, 1],
      [95.9, 0],
      [84, 0],
    ] as const) {
      let last = 98;
      const { placer, client } = await placerOf(async () => (last = later) > 0, {
        ticker: (symbol) => tickerOf(symbol, { last }),
        confirmBeyond: () => Promise.resolve(true),
      });
      const outcome = await placer.place(draft);
      assert.equal(sent ? outcome.kind : codeOf(outcome), sent ? "accepted" : "rate aboveLastNow");
      assert.equal(client.calls.placeOrder, sent);
    }
  });
});
