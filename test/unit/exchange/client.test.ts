import assert from "node:assert/strict";
import fc from "fast-check";
import { NoResponseError, NotSentError, UnreadableResponseError } from "../../../src/exchange/errors.ts";
import { RateLimits } from "../../../src/exchange/rateLimits.ts";
import { testBid } from "../../support/builders/client.ts";
import {
  type Bench,
  onlyFor,
  type Reply,
  setUp,
  START,
  throwing,
} from "../../support/builders/clientInMemory.ts";
import { waitFor } from "../../support/waitFor.ts";

describe("reads", () => {
  const transient: [name: string, make: () => Error][] = [
    ["no connection", () => new NotSentError("tickers", "unreachable", "x")],
    ["a timeout", () => new NoResponseError("tickers", "timeout", "x")],
    ["a lost connection", () => new NoResponseError("tickers", "connectionLost", "x")],
    ["HTTP 503", () => new UnreadableResponseError("tickers", "httpStatus", 503, "x")],
  ];
  for (const [name, make] of transient) {
    it(`are repeated after ${name}, and succeed the third time`, async () => {
      const { client, sent } = setUp(
        onlyFor("tickers", (_request, nth) => (nth < 3 ? throwing(make()) : {})),
      );
      assert.equal((await client.tickers()).tickers.size, 0);
      assert.equal(sent("tickers").length, 3);
    });
  }

  it("fail after the third attempt", async () => {
    const { client, sent } = setUp(onlyFor("tickers", () => ({ status: 502, text: "<html>" })));
    await assert.rejects(client.tickers(), { kind: "unreadable", httpStatus: 502 });
    assert.equal(sent("tickers").length, 3);
  });

  it("show no price of a market whose symbols are in the other order than the profile's", async () => {
    const text = '{"BTC_THB":{"last":3000000},"ETH_THB":{"last":100000}}';
    const { client } = setUp(onlyFor("tickers", () => ({ text })));
    await assert.rejects(client.tickers(), { kind: "unreadable", reason: "symbolOrder" });
  });

  it("are not retried after another window took over polling", async () => {
    const { client, sent } = setUp(onlyFor("tickers", () => ({ status: 502, text: "<html>" })));
    await assert.rejects(client.tickers({ mayRetry: () => sent("tickers").length < 2 }));
    assert.equal(sent("tickers").length, 2);
  });

  it("report each repetition once, right before it is sent", async () => {
    const { client, sent } = setUp(onlyFor("tickers", () => ({ status: 502, text: "<html>" })));
    const sentAtBegin: number[] = [];
    await assert.rejects(client.tickers({ mayRetry: () => sentAtBegin.push(sent("tickers").length) > 0 }));
    assert.deepEqual(sentAtBegin, [1, 2]);
    assert.equal(sent("tickers").length, 3);
  });

  it("fail with their own error if a repetition is refused, and are not repeated further", async () => {
    const { client, sent } = setUp(onlyFor("tickers", () => ({ status: 502, text: "<html>" })));
    let asked = 0;
    await assert.rejects(client.tickers({ mayRetry: () => (asked += 1) > 1 }), {
      kind: "unreadable",
      httpStatus: 502,
    });
    assert.deepEqual([asked, sent("tickers").length], [1, 1]);
  });

  it("wait for the end of a rate limit that another client of the service or another window met", async () => {
    const rateLimits = new RateLimits();
    const first = setUp(
      onlyFor("tickers", () => ({ text: '{"error":30}' })),
      { rateLimits },
    );
    const second = setUp(undefined, { rateLimits });
    await assert.rejects(first.client.tickers(), { code: 30 });
    await assert.rejects(second.client.tickers(), { reason: "rateLimit", retryAt: START + 30_000 });
    second.client.adoptRateLimit("wallet", START + 60_000, false);
    second.client.adoptRateLimit("serverTime", START + 172_800_000, false);
    await assert.rejects(second.client.wallet(), { reason: "rateLimit", retryAt: START + 60_000 });
    second.state.now = START + 60_000;
    await second.client.tickers();
    await second.client.wallet();
    assert.deepEqual([second.sent("tickers").length, second.sent("wallet").length], [1, 1]);
  });

  for (const [what, reply] of [
    ["HTTP 418", { status: 418, text: '{"message":"banned"}', retryAfter: "60" }],
    ["HTTP 503 with Retry-After", { status: 503, text: "<html>", retryAfter: "60" }],
    ["HTTP 403 about a rate limit", { status: 403, text: "<h1>Rate limit exceeded</h1>", retryAfter: "60" }],
  ] as const)
    it(`ask nothing of the host until the end of the pause after ${what}`, async () => {
      const { client, sent, state } = setUp(onlyFor("tickers", (_, nth) => (nth === 1 ? reply : {})));
      await assert.rejects(client.tickers(), { kind: "unreadable", retryAt: START + 60_000 });
      await assert.rejects(client.tickers(), { reason: "rateLimit", retryAt: START + 60_000 });
      await assert.rejects(client.wallet(), { retryAt: START + 60_000 });
      assert.equal(client.rateLimitedUntil("placeBid"), START + 60_000);
      assert.deepEqual([sent("tickers").length, sent("wallet").length, sent("serverTime").length], [1, 0, 0]);
      state.now = START + 60_000;
      await client.tickers();
    });

  it("are signed again for each attempt", async () => {
    const { client, sent, state } = setUp((request, nth) => {
      if (request.label !== "wallet" || nth > 1) return {};
      state.now += 1000;
      return { status: 503 };
    });
    await client.wallet();
    assert.deepEqual(sent("wallet"), [`GET ${START}`, `GET ${START + 1000}`]);
  });

  const lasting: [name: string, status: number, text: string][] = [
    ["a refusal", 200, '{"error":5}'],
    ["HTTP 403", 403, "<html>"],
    ["HTML with 200", 200, "<html>"],
    ["an unknown shape", 200, "1"],
    ["a rate limit", 429, ""],
  ];
  for (const [name, status, text] of lasting) {
    it(`are not repeated after ${name}`, async () => {
      const { client, sent } = setUp(onlyFor("tickers", () => ({ status, text })));
      await assert.rejects(client.tickers());
      assert.equal(sent("tickers").length, 1);
    });
  }

  for (const reason of ["certificate", "insecure"] as const) {
    it(`are not repeated after ${reason}`, async () => {
      const { client, sent } = setUp(() => throwing(new NotSentError("tickers", reason, "x")));
      await assert.rejects(client.tickers(), { reason });
      assert.equal(sent("tickers").length, 1);
    });
  }
});

describe("placeBid", () => {
  it("removes from a receipt every repetition of the key or the signature", async () => {
    const { client } = setUp(
      onlyFor("placeBid", ({ headers }) => {
        const [key, sign] = [headers["X-SVC-APIKEY"], headers["X-SVC-SIGN"]];
        return { text: JSON.stringify({ error: 0, result: { id: sign, sym: `a_${key}`, typ: key } }) };
      }),
    );
    assert.deepEqual(await client.placeOrder(testBid()), {
      orderId: undefined,
      differences: [
        { field: "symbol", sent: "THB_BTC", returned: "[…]" },
        { field: "type", sent: "limit", returned: "[…]" },
      ],
    });
  });

  it("is sent once, for every failure", async () => {
    const replies: Reply[] = [
      () => throwing(new NotSentError("placeBid", "unreachable", "x")),
      () => throwing(new NoResponseError("placeBid", "timeout", "x")),
      () => ({ status: 502, text: "<html>" }),
      () => ({ status: 404, text: "" }),
      () => ({ status: 405, text: "" }),
      () => ({ text: '{"error":8}' }),
      () => ({ text: '{"error":90}' }),
      () => ({ text: "" }),
    ];
    for (const reply of replies) {
      const { client, sent } = setUp(onlyFor("placeBid", reply));
      await assert.rejects(client.placeOrder(testBid()));
      assert.equal(sent("placeBid").length, 1);
    }
  });

  it("sends at most one POST for each bid, over any schedule of faults on every endpoint", async () => {
    const fault = fc.constantFrom<Reply>(
      () => ({}),
      () => throwing(new NotSentError("placeBid", "unreachable", "x")),
      () => throwing(new NoResponseError("placeBid", "timeout", "x")),
      () => throwing(new NoResponseError("placeBid", "connectionLost", "x")),
      () => ({ status: 503, text: "<html>" }),
      () => ({ status: 429, text: "" }),
      () => ({ status: 405, text: "" }),
      () => ({ text: '{"error":8}' }),
      () => ({ text: '{"error":30}' }),
      () => ({ text: '{"error":' }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fault),
        fc.array(fc.nat(400_000), { maxLength: 5 }),
        async (faults, waits) => {
          const { client, state, sent } = setUp((...args) => faults.next().value?.(...args) ?? {});
          let left = 0;
          for (const wait of waits) {
            state.now += wait;
            const kind = await client.placeOrder(testBid()).then(
              () => "accepted",
              (error: NotSentError) => (error.kind === "notSent" ? error.reason : error.kind),
            );
            if (!["clockUnknown", "rateLimit"].includes(kind)) left += 1;
          }
          assert.equal(sent("placeBid").length, left);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("refused for its timestamp measures the clock for the next bid, and is not repeated", async () => {
    const { client, state, sent } = setUp(
      onlyFor("placeBid", (_request, nth) => (nth === 1 ? { text: '{"error":8}' } : {})),
    );
    await client.wallet();
    state.serverOffset = 60_000;
    await assert.rejects(client.placeOrder(testBid()), {
      kind: "refused",
      code: 8,
      provesNothingHappened: true,
    });
    assert.equal(sent("placeBid").length, 1);
    await client.placeOrder(testBid());
    assert.deepEqual(sent("placeBid"), [`POST ${START}`, `POST ${START + 60_000}`]);
    assert.equal(client.clock?.offset, 60_000);
  });

  it("refused for its timestamp keeps that error if the clock cannot be measured either", async () => {
    const { client, state, lines } = setUp();
    await client.wallet();
    state.reply = ({ label }) => (label === "placeBid" ? { text: '{"error":8}' } : { status: 500 });
    await assert.rejects(client.placeOrder(testBid()), { kind: "refused", code: 8 });
    await waitFor("the log line about the failed measuring", () =>
      lines.some((line) => line.includes("could not be measured again")),
    );
  });
});

describe("the service's clock", () => {
  it("is measured before the first signature, and again after five minutes", async () => {
    const { client, state, sent } = setUp();
    state.serverOffset = 24 * 3_600_000;
    assert.equal(client.clock?.offset, undefined);
    await client.wallet();
    await client.placeOrder(testBid());
    assert.deepEqual(
      [sent("wallet"), sent("placeBid")],
      [[`GET ${START + 86_400_000}`], [`POST ${START + 86_400_000}`]],
    );
    assert.equal(sent("serverTime").length, 1);
    state.now += 5 * 60_000;
    await client.wallet();
    assert.equal(sent("serverTime").length, 2);
  });

  it("that cannot be measured stops every signature, and the wallet read is repeated", async () => {
    const { client, sent } = setUp(onlyFor("serverTime", () => ({ status: 500, text: "" })));
    const unknown = { kind: "notSent", reason: "clockUnknown", provesNothingHappened: true };
    await assert.rejects(client.placeOrder(testBid()), unknown);
    assert.equal(sent("serverTime").length, 1);
    await assert.rejects(client.wallet(), unknown);
    assert.equal(sent("serverTime").length, 4);
    assert.equal(sent("wallet").length + sent("placeBid").length, 0);
  });

  it("is measured again after a wallet read is refused for its timestamp; the read is repeated", async () => {
    const { client, state, sent } = setUp();
    await client.wallet();
    state.serverOffset = -5000;
    state.reply = onlyFor("wallet", (_request, nth) => (nth === 2 ? { text: '{"error":8}' } : {}));
    await client.wallet();
    assert.deepEqual(sent("wallet"), [`GET ${START}`, `GET ${START}`, `GET ${START - 5000}`]);
    state.reply = onlyFor("wallet", () => ({ text: '{"error":8}' }));
    await assert.rejects(client.wallet(), { kind: "refused", code: 8 });
    assert.equal(sent("wallet").length, 5);
  });

  it("is measured on request", async () => {
    const { client, state } = setUp();
    state.serverOffset = 1234;
    assert.equal(await client.measureClock(), 1234);
    assert.equal(client.clock?.offset, 1234);
  });
});

function methods(bench: Bench): string[] {
  return bench.sent("wallet").map((text) => text.split(" ")[0] ?? "");
}

describe("the wallet's method", () => {
  for (const [status, text] of [
    [404, ""],
    [405, "<html>"],
    [501, "{}"],
    [404, '{"error":10}'],
    [405, '{"code":"V1-X","message":"no"}'],
  ] as const) {
    it(`auto falls back to POST on ${status} ${text || "with nothing"}, and remembers POST`, async () => {
      const bench = setUp(onlyFor("wallet", ({ method }) => (method === "GET" ? { status, text } : {})));
      await bench.client.wallet();
      await bench.client.wallet();
      assert.deepEqual(methods(bench), ["GET", "POST", "POST"]);
    });
  }

  it("auto keeps GET after GET worked", async () => {
    const bench = setUp(onlyFor("wallet", (_request, nth) => (nth === 1 ? {} : { status: 404, text: "" })));
    await bench.client.wallet();
    await assert.rejects(bench.client.wallet(), { httpStatus: 404 });
    assert.deepEqual(methods(bench), ["GET", "GET"]);
  });

  it("auto treats no other response as a wrong method", async () => {
    for (const [status, text] of [
      [200, '{"error":6}'],
      [401, ""],
      [403, ""],
      [200, "<html>"],
    ] as const) {
      const bench = setUp(onlyFor("wallet", () => ({ status, text })));
      await assert.rejects(bench.client.wallet());
      assert.deepEqual(methods(bench), ["GET"]);
    }
  });

  it("auto remembers nothing if neither method worked", async () => {
    const bench = setUp(onlyFor("wallet", () => ({ status: 404, text: "" })));
    await assert.rejects(bench.client.wallet(), { httpStatus: 404 });
    await assert.rejects(bench.client.wallet(), { httpStatus: 404 });
    assert.deepEqual(methods(bench), ["GET", "POST", "GET", "POST"]);
  });

  it("named in the profile is the only method tried", async () => {
    for (const method of ["GET", "POST"] as const) {
      const bench = setUp(
        onlyFor("wallet", () => ({ status: 405, text: "" })),
        { walletMethod: method },
      );
      await assert.rejects(bench.client.wallet());
      assert.deepEqual(methods(bench), [method]);
    }
  });
});

describe("a rate limit", () => {
  it("until a date ends by the service's clock, also if the local clock is wrong", async () => {
    const { client, state } = setUp();
    state.serverOffset = 7_200_000;
    await client.measureClock();
    const inAMinute = new Date(START + state.serverOffset + 60_000).toUTCString();
    state.reply = onlyFor("placeBid", () => ({ status: 429, text: "", retryAfter: inAMinute }));
    await assert.rejects(client.placeOrder(testBid()), { kind: "refused", retryAt: START + 60_000 });
  });

  const rateLimits: [name: string, answer: ReturnType<Reply>, seconds: number][] = [
    ["HTTP 429", { status: 429, text: "" }, 30],
    ["error 30", { text: '{"error":30}' }, 30],
    ["HTTP 429 with a longer Retry-After", { status: 429, text: "", retryAfter: "90" }, 90],
    ["HTTP 429 with a Retry-After of an hour", { status: 429, text: "", retryAfter: "3600" }, 3600],
    ["HTTP 429 with another error in it", { status: 429, text: '{"error":18}' }, 30],
  ];
  for (const [name, answer, seconds] of rateLimits) {
    it(`by ${name} stops requests to that endpoint for ${seconds} s, and to no other endpoint`, async () => {
      const { client, state, sent } = setUp();
      await client.measureClock();
      state.reply = onlyFor("placeBid", () => answer);
      const retryAt = START + seconds * 1000;
      await assert.rejects(client.placeOrder(testBid()), { kind: "refused", retryAt });
      state.reply = () => ({});
      const limited = { kind: "notSent", reason: "rateLimit", retryAt, provesNothingHappened: true };
      await assert.rejects(client.placeOrder(testBid()), limited);
      state.now = retryAt - 1;
      await assert.rejects(client.placeOrder(testBid()), limited);
      assert.equal(sent("placeBid").length, 1);
      await client.wallet();
      state.now = retryAt;
      await client.placeOrder(testBid());
      assert.equal(sent("placeBid").length, 2);
    });
  }
});
