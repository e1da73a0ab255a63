import assert from "node:assert/strict";
import {
  NoResponseError,
  NotSentError,
  RefusedError,
  UnreadableResponseError,
  type ExchangeError,
} from "../../src/exchange/errors.ts";
import type { Transport } from "../../src/http/transport.ts";
import { impatientTransport, testBid, testClient, timeFrom } from "../support/builders/client.ts";
import { faults, type Fault } from "../support/servers/faults.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";

const MEGABYTE = 1024 * 1024;

function kindAndReason(error: unknown): [string, string | number] {
  if (error instanceof RefusedError) return [error.kind, error.code];
  if (
    error instanceof NotSentError ||
    error instanceof NoResponseError ||
    error instanceof UnreadableResponseError
  ) {
    return [error.kind, error.reason];
  }
  throw error;
}

/** Waits for no response if the fault is a missing one. */
function transportOf([, reason]: Fault["expected"], { seen }: LoopbackServer): Transport | undefined {
  return reason === "timeout" ? impatientTransport(() => seen.length) : undefined;
}

async function failure(attempt: Promise<unknown>): Promise<ExchangeError> {
  try {
    await attempt;
  } catch (error) {
    return error as ExchangeError;
  }
  return assert.fail("the call did not fail");
}

describe("a service that fails", () => {
  let clockServer: LoopbackServer;
  before(async () => {
    clockServer = await serveHttp((_request, response) => void response.end(String(Date.now())));
  });
  after(() => clockServer.close());

  for (const [name, { expected, start }] of Object.entries(faults)) {
    it(`${name}: a bid is ${expected.join(" ")}, sent once and never again`, async () => {
      const server = await start();
      try {
        const client = testClient(
          server.url,
          {},
          { transport: timeFrom(clockServer.url, transportOf(expected, server)) },
        );
        const error = await failure(client.placeOrder(testBid()));
        assert.deepEqual(kindAndReason(error), expected);
        assert.equal(error.provesNothingHappened, [18, 30, 429].includes(Number(expected[1])));
        assert.deepEqual(
          server.seen.map(({ method, path }) => `${method} ${path}`),
          ["POST /api/market/place-bid"],
        );
        assert.equal(server.traffic.connections, 1);
      } finally {
        await server.close();
      }
    });
  }

  it("accepts 2 MB of tickers, more than any other response may have", async () => {
    const market = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [`THB_A${index}`, { last: index + 1, id: 1_000_000_000 }]),
    );
    const body = JSON.stringify(market);
    assert.ok(body.length > 1.5 * MEGABYTE);
    const server = await serveHttp((_request, response) => void response.end(body));
    try {
      assert.equal((await testClient(server.url, {}, { timeoutMs: 5000 }).tickers()).tickers.size, 40_000);
    } finally {
      await server.close();
    }
  });

  it("whose clock cannot be measured gets no bid", async () => {
    const server = await serveHttp((_request, response) => void response.writeHead(500).end());
    try {
      const error = await failure(testClient(server.url).placeOrder(testBid()));
      assert.deepEqual(kindAndReason(error), ["notSent", "clockUnknown"]);
      assert.deepEqual(kindAndReason(error.cause), ["unreadable", "httpStatus"]);
      assert.ok(server.seen.every(({ method }) => method === "GET"));
    } finally {
      await server.close();
    }
  });
});
