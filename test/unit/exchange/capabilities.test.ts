import assert from "node:assert/strict";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { NoResponseError, NotSentError } from "../../../src/exchange/errors.ts";
import type { HttpRequest } from "../../../src/http/transport.ts";
import { knownBalance } from "../../../src/market/balance.ts";
import { onlyFor, setUp, START, throwing, type Reply } from "../../support/builders/clientInMemory.ts";
import { allFeatures } from "../../support/builders/features.ts";
import { inEnvelope } from "../../support/builders/answers.ts";
import { matchInBase, openBuyB, orderInfo } from "../../support/builders/orderRows.ts";

const pair = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };
const order = { ...pair, orderId: "289", side: "buy" } as const;
const generations = ["A", "B", "C"] as const;

function addressOf({ method, url, body }: HttpRequest): string {
  return [method, url.pathname + url.search, body?.toString()].filter(Boolean).join(" ");
}

function besideTime(reply: Reply): Reply {
  return (request, nth) => (request.label === "serverTime" ? {} : reply(request, nth));
}

/** A client with every capability of a generation, and the requests it sent. */
function capable(generation: (typeof generations)[number], reply?: Reply) {
  const bench = setUp(reply && besideTime(reply), { features: allFeatures(generation) });
  const asked = (): string[] => bench.requests.filter(({ label }) => label !== "serverTime").map(addressOf);
  return { ...bench, asked, offered: bench.client.capabilities };
}

describe("capabilities", () => {
  it("are none without features", () => {
    const { capabilities } = setUp().client;
    assert.ok(Object.values(capabilities).every((method) => method === undefined));
  });

  it("are requested in their generation's form: POST with JSON, or GET with the pair reversed", async () => {
    const requests = {
      A: [
        'POST /openOrders {"sym":"THB_BTC"}',
        'POST /orderInfo {"sym":"THB_BTC","id":"289","sd":"buy"}',
        'POST /orderHistory {"sym":"THB_BTC","p":1,"lmt":5,"start":1,"end":3}',
        "GET /symbols",
        "GET /depth?sym=THB_BTC&lmt=10",
        "GET /trades?sym=THB_BTC&lmt=20",
        'POST /cancelOrder {"sym":"THB_BTC","id":"289","sd":"buy"}',
      ],
      B: [
        "GET /openOrders?sym=BTC_THB",
        "GET /orderInfo?sym=BTC_THB&id=289&sd=buy",
        "GET /orderHistory?sym=BTC_THB&lmt=5&start=1500&end=2500&pagination_type=keyset",
        "GET /symbols",
        "GET /depth?sym=BTC_THB&lmt=10",
        "GET /trades?sym=BTC_THB&lmt=20",
        'POST /cancelOrder {"sym":"BTC_THB","id":"289","sd":"buy"}',
      ],
    };
    for (const generation of ["A", "B"] as const) {
      const { offered, asked } = capable(generation, () => ({ text: inEnvelope([], generation) }));
      const ignore = (): undefined => undefined;
      await offered.openOrders?.(pair);
      await offered.orderInfo?.(order).catch(ignore);
      await offered.orderHistory?.({ ...pair, from: 1500, to: 2500, limit: 5 });
      await offered.symbols?.();
      await offered.depth?.({ ...pair, levels: 10 }).catch(ignore);
      await offered.trades?.({ ...pair, count: 20 });
      await offered.cancelOrder?.(order);
      assert.deepEqual(asked(), requests[generation]);
    }
  });

  it("are signed where they concern the account, and only there", async () => {
    const { offered, requests } = capable("B", () => ({ text: inEnvelope([], "B") }));
    await Promise.all([
      offered.openOrders?.(pair),
      offered.orderHistory?.(pair),
      offered.cancelOrder?.(order),
    ]);
    await Promise.all([offered.symbols?.(), offered.trades?.({ ...pair, count: 1 })]);
    const signed = requests.filter(({ headers }) => headers["X-SVC-SIGN"] !== undefined);
    assert.deepEqual(signed.map(({ label }) => label).sort(), ["cancelOrder", "openOrders", "orderHistory"]);
  });

  it("request the next page by cursor or number, as the previous page indicates", async () => {
    const { offered, asked } = capable("A", () => ({ text: inEnvelope([], "A") }));
    await offered.orderHistory?.({ ...pair, position: { page: 2 } });
    await offered.orderHistory?.({ ...pair, position: { cursor: "x+/=" } });
    assert.deepEqual(asked(), [
      'POST /orderHistory {"sym":"THB_BTC","p":2}',
      'POST /orderHistory {"sym":"THB_BTC","pagination_type":"keyset","cursor":"x+/="}',
    ]);
  });

  it("record the time of the request, not of the response", async () => {
    const { offered, state } = capable("B", () => {
      state.now += 500;
      return { text: inEnvelope([openBuyB], "B") };
    });
    await offered.openOrders?.(pair);
    state.now = START + 10_000;
    const { orders } = (await offered.openOrders?.(pair)) ?? assert.fail();
    assert.deepEqual([orders[0]?.askedAt, orders[0]?.symbol], [START + 10_000, "THB_BTC"]);
  });

  it("are repeated as other reads are, and with a new signature after a refused timestamp", async () => {
    const failing = onlyFor("openOrders", (_request, nth) => {
      if (nth === 1) throw new NoResponseError("openOrders", "timeout", "x");
      return { text: nth === 2 ? '{"error":8}' : inEnvelope([], "B") };
    });
    const { offered, sent } = capable("B", failing);
    assert.deepEqual(await offered.openOrders?.(pair), { orders: [], unreadable: [] });
    assert.equal(sent("openOrders").length, 3);
  });

  it("stop like other reads when another window has taken over", async () => {
    const { offered, sent } = capable(
      "B",
      onlyFor("openOrders", () => ({ status: 502, text: "<" })),
    );
    const gate = { mayRetry: () => sent("openOrders").length < 2 };
    await assert.rejects(Promise.resolve(offered.openOrders?.(pair, gate)), { httpStatus: 502 });
    assert.equal(sent("openOrders").length, 2);
    const never = { mayStillSend: () => false };
    await assert.rejects(Promise.resolve(offered.symbols?.(undefined, never)), { reason: "tooLate" });
    assert.equal(sent("symbols").length, 0);
  });

  it("wait for the end of their own rate limit only", async () => {
    const { offered, sent } = capable(
      "B",
      onlyFor("openOrders", () => ({ text: '{"error":30}' })),
    );
    await assert.rejects(Promise.resolve(offered.openOrders?.(pair)), { code: 30 });
    await assert.rejects(Promise.resolve(offered.openOrders?.(pair)), { reason: "rateLimit" });
    await offered.orderHistory?.(pair).catch(() => undefined);
    assert.deepEqual([sent("openOrders").length, sent("orderHistory").length], [1, 1]);
  });

  it("treat error 24 as no such order, unless the response is inconsistent", async () => {
    const found = capable("B", () => ({ text: inEnvelope(orderInfo, "B") })).offered;
    assert.equal((await found.orderInfo?.(order))?.status, "filled");
    const none = capable(
      "B",
      onlyFor("orderInfo", () => ({ text: '{"error":24}' })),
    ).offered;
    assert.equal(await none.orderInfo?.(order), undefined);
    const other = capable(
      "B",
      onlyFor("orderInfo", () => ({ text: '{"error":11}' })),
    ).offered;
    await assert.rejects(Promise.resolve(other.orderInfo?.(order)), { code: 11 });
  });

  it("read the amounts of buys in the unit of the profile, or of the generation", async () => {
    const both = { ...matchInBase, amount: "1000", rate: "33", fee: "2.5" };
    for (const [generation, historyAmountOfBuys, value] of [
      ["A", undefined, undefined],
      ["B", undefined, "997.5"],
      ["A", "quote", "997.5"],
      ["B", "base", "33000"],
    ] as const) {
      const features = allFeatures(generation, { historyAmountOfBuys });
      const { capabilities } = setUp(
        besideTime(() => ({ text: inEnvelope([both], generation) })),
        { features },
      ).client;
      const page = await capabilities.orderHistory?.(pair);
      assert.equal(page?.orders[0]?.fills[0]?.value.toFixed(), value);
    }
  });

  it("read the amounts of buys with what a known order may spend", async () => {
    const { capabilities } = setUp(
      besideTime(() => ({ text: inEnvelope([{ ...matchInBase, fee: "0" }], "B") })),
      { features: allFeatures("B") },
    ).client;
    const orderedOf = (id: string) => (id === matchInBase.order_id ? new Decimal("500") : undefined);
    const fillsOf = async (query: object) =>
      (await capabilities.orderHistory?.({ ...pair, ...query }))?.orders[0]?.fills.length;
    assert.deepEqual([await fillsOf({}), await fillsOf({ orderedOf })], [1, 0]);
  });

  it("never keep a text that repeats the key, the secret or the signature", async () => {
    for (const name of ["X-SVC-APIKEY", "X-SVC-SIGN"]) {
      const { offered } = capable("B", (request) => {
        const proof = `a${request.headers[name] ?? ""}`;
        const rows = [
          { ...openBuyB, client_id: proof },
          { ...openBuyB, id: proof },
        ];
        return request.label === "openOrders"
          ? { text: inEnvelope(rows, "B", { pagination: { cursor: proof, has_next: true } }) }
          : {};
      });
      const read = (await offered.openOrders?.(pair)) ?? assert.fail();
      assert.deepEqual([read.orders.map(({ clientId }) => clientId), read.unreadable], [[undefined], ["#1"]]);
    }
  });

  it("log unreadable entries of a response", async () => {
    const { offered, lines } = capable("B", () => ({ text: inEnvelope([openBuyB, {}], "B") }));
    await offered.openOrders?.(pair);
    assert.ok(
      lines.some((line) => line.startsWith("openOrders: 1 unreadable")),
      lines.join("\n"),
    );
  });

  it("make the wallet one with reserved amounts where balances are offered, in every generation", async () => {
    const balance = { available: "5", reserved: "2" };
    for (const generation of generations) {
      const content = generation === "C" ? [{ currency: "THB", ...balance, total: "7" }] : { THB: balance };
      const { client, asked } = capable(
        generation,
        onlyFor("wallet", () => ({ text: inEnvelope(content, generation) })),
      );
      const { available, reserved } = knownBalance(await client.wallet(), "THB") ?? assert.fail();
      assert.deepEqual([available.toFixed(), reserved.toFixed()], ["5", "2"]);
      assert.deepEqual(asked(), [generation === "A" ? "POST /balances" : "GET /balances"]);
    }
  });

  it("read the code of the newest generation, never as an asset", async () => {
    for (const text of ['{"code":"A1000"}', '{"code":"B1003","success":false}', '{"code":5,"total":1}']) {
      const { client } = capable(
        "C",
        onlyFor("wallet", () => ({ text })),
      );
      await assert.rejects(client.wallet(), { kind: "refused" }, text);
    }
    const { client } = capable(
      "C",
      onlyFor("wallet", () => ({ text: '{"code":"0"}' })),
    );
    assert.equal((await client.wallet()).size, 0);
  });
});

describe("cancelOrder", () => {
  const lost = (): never => throwing(new NoResponseError("cancelOrder", "connectionLost", "x"));
  const cancelling = (...replies: (() => { text?: string; status?: number })[]) => {
    const bench = capable(
      "A",
      onlyFor("cancelOrder", (_request, nth) => replies[nth - 1]?.() ?? { text: '{"error":777}' }),
    );
    return {
      sent: () => bench.sent("cancelOrder").length,
      cancel: bench.offered.cancelOrder ?? assert.fail(),
    };
  };

  it("is accepted by error 0 without a result, and by code 0", async () => {
    for (const text of [
      '{"error":0}',
      '{"code":"0","message":"success","data":{}}',
      '{"error":"0","result":null}',
    ])
      assert.equal(await cancelling(() => ({ text })).cancel(order), "accepted");
  });

  it("finds no open order under error 21", async () => {
    assert.equal(await cancelling(() => ({ text: '{"error":21}' })).cancel(order), "unknownOrder");
    const contradictory = cancelling(() => ({ text: '{"error":21,"error":0}' }));
    await assert.rejects(contradictory.cancel(order), { provesNothingHappened: false });
  });

  it("is retried after a lost response, at most three times", async () => {
    const second = cancelling(lost, () => ({ text: '{"error":0}' }));
    assert.deepEqual([await second.cancel(order), second.sent()], ["accepted", 2]);
    const never = cancelling(lost, lost, lost, lost);
    await assert.rejects(never.cancel(order), { kind: "noAnswer" });
    assert.equal(never.sent(), 3);
  });

  it("is sent three times at most, also after refused timestamps", async () => {
    const clock = () => ({ text: '{"error":8}' });
    const refused = cancelling(clock, clock, clock, clock);
    await assert.rejects(refused.cancel(order), { code: 8 });
    assert.equal(refused.sent(), 2);
    const mixed = cancelling(lost, lost, clock, clock);
    await assert.rejects(mixed.cancel(order), { kind: "noAnswer" });
    assert.equal(mixed.sent(), 3);
  });

  it("is not retried after any conclusive response", async () => {
    for (const text of ['{"error":18}', '{"error":90}', "{}", "[]", '{"id":"1","typ":"limit"}', "<html>"]) {
      const once = cancelling(() => ({ text }));
      await assert.rejects(once.cancel(order));
      assert.equal(once.sent(), 1, text);
    }
  });

  it("stays unknown if the first request was lost, whatever a later one reports", async () => {
    const later: [name: string, reply: () => { text: string }][] = [
      ["refused", () => ({ text: '{"error":3}' })],
      ["not sent", () => throwing(new NotSentError("cancelOrder", "noCredentials", "x"))],
    ];
    for (const [name, reply] of later) {
      const { cancel } = cancelling(lost, reply);
      await assert.rejects(cancel(order), { kind: "noAnswer", provesNothingHappened: false }, name);
    }
    let asked = 0;
    const stopped = cancelling(lost, () => ({ text: '{"error":0}' }));
    const mayStillSend = (): boolean => (asked += 1) === 1;
    await assert.rejects(stopped.cancel(order, mayStillSend), { kind: "noAnswer" });
    assert.equal(stopped.sent(), 1);
  });

  it("sends nothing if it may no longer go", async () => {
    const { cancel, sent } = cancelling(() => ({ text: '{"error":0}' }));
    await assert.rejects(
      cancel(order, () => false),
      { reason: "tooLate", provesNothingHappened: true },
    );
    assert.equal(sent(), 0);
  });
});
