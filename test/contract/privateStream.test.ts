import assert from "node:assert/strict";
import type { PrivateStreamEnd } from "../../src/exchange/stream/privateStream.ts";
import type { OrderUpdate } from "../../src/exchange/wire/orders/orderEvents.ts";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { Decimal, plainText } from "../../src/market/numbers/decimal.ts";
import { parseSymbol } from "../../src/market/pair.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { streamKinds } from "../../src/practice/stream/address.ts";
import { pairOf, testClient } from "../support/builders/client.ts";
import { ownerOf } from "../support/builders/practiceOrders.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { knownFrom } from "../support/builders/reports.ts";
import { waitFor } from "../support/waitFor.ts";

describe("the client's private stream and the practice exchange", () => {
  let practice: ProxiedPractice;
  const closers: (() => void)[] = [];
  beforeEach(async () => {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      switches: { streams: streamKinds },
    });
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) close();
    await practice.close();
  });

  interface Received {
    readonly events: OrderUpdate[];
    readonly ends: PrivateStreamEnd[];
    ready: number;
  }
  function connect(client: ExchangeClient): Received {
    const received: Received = { events: [], ends: [], ready: 0 };
    const stream = client.privateStream?.(
      {
        ready: () => (received.ready += 1),
        order: (event) => received.events.push(event),
        unclear: ({ symbol }) => assert.fail(symbol),
        ended: (end) => received.ends.push(end),
      },
      {
        nameOf: (symbol) => {
          const pair = parseSymbol(symbol, "baseFirst");
          return pair && { symbol: `${pair.quote}_${pair.base}`, pair };
        },
        mayStillSend: () => true,
      },
    );
    closers.push(() => stream?.close());
    return received;
  }
  const streaming = { features: { privateStream: { path: "/v3/private" } } };

  it("agree on the lifecycle of an order, to the last digit of its fills", async () => {
    const client = testClient(practice.baseUrl, streaming);
    const received = connect(client);
    await waitFor("the stream is ready", () => received.ready === 1);
    const { tickers } = await client.tickers();
    const rate = Math.floor((tickers.get("THB_ETH")?.last ?? 0) * 0.9);
    const owner = ownerOf(practice, Date.now);
    const body = { sym: "THB_ETH", amt: 1000, rat: rate, typ: "limit", client_id: "BSD-7" };
    const { id } = (await owner.post("/api/market/place-bid", body)).result as { id: string };
    practice.fillOrder(id, new Decimal("333.33"));
    practice.fillOrder(id, new Decimal("666.67"));
    await waitFor("the order is filled", () =>
      received.events.some(({ report }) => report.status === "filled"),
    );
    const reports = received.events.map(({ report }) => report);
    assert.ok(reports.every(({ orderId, clientId }) => orderId === id && clientId === "BSD-7"));
    assert.deepEqual(
      reports.flatMap(({ status }) => status ?? []),
      ["open", "open", "open", "filled"],
    );
    const fills = reports.flatMap(({ fills }) => fills);
    const spent = fills.reduce((sum, { value, fee }) => sum.plus(value).plus(fee), new Decimal("0"));
    assert.equal(plainText(spent), "1000");
    const { quote, base } = { quote: "THB", base: "ETH" };
    const read = await testClient(practice.baseUrl, {
      features: {
        orderInfo: {
          method: "POST",
          path: "/api/market/order-info",
          symbolOrder: "quoteFirst",
          symbolCase: "upper",
          envelope: "A",
        },
        historyAmountOfBuys: "quote",
      },
    }).capabilities.orderInfo?.({ symbol: "THB_ETH", pair: { quote, base }, orderId: id, side: "buy" });
    // Responses truncate a match's quantity, the stream reports what arrived: both are the same match.
    const known = knownFrom([...reports, read ?? assert.fail("no answer")]);
    assert.deepEqual([known.fills.map(({ id: match }) => match), known.doubts], [[`${id}-1`, `${id}-2`], []]);
  });

  it("end with a refusal when the secret is wrong", async () => {
    const credentials = (): Promise<ReturnType<typeof pairOf>> =>
      Promise.resolve(pairOf(testPair.apiKey, "wrong"));
    const received = connect(testClient(practice.baseUrl, streaming, { credentials }));
    await waitFor("the stream ended", () => received.ends.length === 1);
    assert.equal(received.ends[0]?.reason, "refused");
    assert.equal(received.ready, 0);
  });

  it("sign by the exchange's clock, however wrong this computer's is", async () => {
    practice.faults.clockSkewMs = 3_600_000;
    const received = connect(testClient(practice.baseUrl, streaming));
    await waitFor("the stream is ready", () => received.ready === 1);
  });

  it("end when the connection breaks off", async () => {
    const received = connect(testClient(practice.baseUrl, streaming));
    await waitFor("the stream is ready", () => received.ready === 1);
    practice.streams.drop("private");
    await waitFor("the stream ended", () => received.ends.length === 1);
    assert.equal(received.ends[0]?.reason, "lost");
  });

  it("do not connect if the profile has no private stream", () => {
    assert.equal(testClient(practice.baseUrl).privateStream, undefined);
  });
});
