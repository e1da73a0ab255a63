import assert from "node:assert/strict";
import * as z from "zod/mini";
import { adoptProblem, shareProblem } from "../../../../src/desk/windows/problemMessages.ts";
import { isMissingKey } from "../../../../src/desk/feeds/balanceFeed.ts";
import {
  ExchangeError,
  NoResponseError,
  NotSentError,
  RefusedError,
  retryTime,
  UnreadableResponseError,
} from "../../../../src/exchange/errors.ts";
import { isMeaning, meaningOf, statusOf } from "../../../../src/exchange/meaning.ts";
import { fromLeader } from "../../../../src/hub/protocol.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";

const NOW = 1_794_999_970_000;

const limitedClient = (): FakeClient => Object.assign(new FakeClient(), { isRateLimited: true });

/**
 * A problem as it arrives in another window, through the message format and its schema. `there` is that window's client and
 * clock.
 */
function arrived(
  problem: unknown,
  client = limitedClient(),
  there = { client: new FakeClient(), now: NOW },
): unknown {
  const message = {
    type: "market",
    venue: "practice",
    isNew: false,
    isLast: true,
    tickers: [],
    unreadable: 0,
  };
  const sent = JSON.stringify({ ...message, problem: shareProblem(problem, client, NOW) });
  const received = z.parse(fromLeader, JSON.parse(sent));
  return received.type === "market" ? adoptProblem(received.problem, there.client, there.now) : assert.fail();
}

describe("a problem sent to another window", () => {
  for (const problem of [
    new NotSentError("tickers", "unreachable", "ECONNREFUSED"),
    new NotSentError("wallet", "noCredentials", "none"),
    new NotSentError("wallet", "rateLimit", "still running", { retryAt: 1_795_000_000_000 }),
    new NotSentError("wallet", "clockUnknown", "x", { cause: new Error("why") }),
    new NoResponseError("tickers", "timeout", "10 s"),
    new RefusedError("wallet", { code: 18, httpStatus: 200 }),
    new RefusedError("wallet", { code: "V1007-CW", httpStatus: 401 }),
    new RefusedError("tickers", { code: 429, httpStatus: 429, retryAt: 1_795_000_000_000 }),
    new UnreadableResponseError("tickers", "httpStatus", 502, "a web page"),
    new UnreadableResponseError("tickers", "rateLimit", 418, "banned", {
      retryAt: 1_795_000_000_000,
      limitsHost: true,
    }),
    new NotSentError("wallet", "rateLimit", "running", { retryAt: 1_795_000_000_000, limitsHost: true }),
  ]) {
    it(`has the same explanation and rate limit there: ${problem.message}`, () => {
      const there = arrived(problem);
      assert.ok(there instanceof ExchangeError);
      const factsOf = (error: ExchangeError): unknown => [
        meaningOf(error),
        error.endpoint,
        statusOf(error) ?? 0,
        retryTime(error),
        error.limitsHost,
        isMissingKey(error),
      ];
      assert.deepEqual(factsOf(there), factsOf(problem));
      if (meaningOf(problem) === "code") assert.deepEqual({ ...there }, { ...problem });
    });
  }

  it("needs no other word than a meaning, so each has an explanation in every window", () => {
    assert.ok(isMeaning("tooLarge") && isMeaning("outage") && isMeaning("code"));
    assert.ok(!isMeaning("httpStatus") && !isMeaning("toString"));
  });

  it("is the cause of a failed clock request, so that all windows name the same cause", () => {
    const cause = new UnreadableResponseError("serverTime", "httpStatus", 503, "an error page");
    const there = arrived(new NotSentError("wallet", "clockUnknown", "x", { cause }));
    assert.equal(meaningOf(there), "unavailable");
  });

  it("keeps a rate limit even if the server's time is not known yet", () => {
    const cause = new RefusedError("serverTime", { code: 30, httpStatus: 200, retryAt: 1_795_000_000_000 });
    const there = arrived(new NotSentError("wallet", "clockUnknown", "x", { cause }));
    assert.equal(retryTime(there), 1_795_000_000_000);
  });

  it("rate-limits in the receiving window what the exchange rate-limited: the endpoint, or its clock", () => {
    const client = new FakeClient();
    const until = 1_795_000_000_000;
    const limited = new RefusedError("serverTime", { code: 30, httpStatus: 200, retryAt: until });
    for (const problem of [
      new RefusedError("tickers", { code: 429, httpStatus: 429, retryAt: until }),
      new NotSentError("wallet", "clockUnknown", "x", { cause: limited }),
      new UnreadableResponseError("wallet", "httpStatus", 503, "x", { retryAt: until, limitsHost: true }),
      new NotSentError("wallet", "unreachable", "x"),
      new NoResponseError("wallet", "timeout", "10 s"),
    ]) {
      arrived(problem, limitedClient(), { client, now: NOW });
    }
    assert.deepEqual(client.rateLimits, [
      { endpoint: "tickers", until, limitsHost: false },
      { endpoint: "serverTime", until, limitsHost: false },
      { endpoint: "wallet", until, limitsHost: true },
    ]);
  });

  it("contains no rate limit that is over, or that was met before the clock was set back", () => {
    const client = new FakeClient();
    const retryAt = 1_795_000_000_000;
    for (const problem of [
      new NotSentError("wallet", "rateLimit", "still running", { retryAt }),
      new RefusedError("tickers", { code: 429, httpStatus: 429, retryAt }),
    ])
      assert.equal(retryTime(arrived(problem, client)), undefined);
  });

  it("waits for the rest of a rate limit, also if the clock was set back by hours on the way", () => {
    const client = new FakeClient();
    const now = NOW - 7_200_000;
    const limited = new RefusedError("tickers", { code: 429, httpStatus: 429, retryAt: NOW + 30_000 });
    assert.equal(retryTime(arrived(limited, limitedClient(), { client, now })), now + 30_000);
    assert.deepEqual(client.rateLimits, [{ endpoint: "tickers", until: now + 30_000, limitsHost: false }]);
  });

  it("is undefined without a problem, and an error inside Bidside stays an error", () => {
    assert.equal(arrived(undefined), undefined);
    assert.ok(arrived(new TypeError("x is not a function")) instanceof Error);
  });

  it("contains neither foreign text nor an invalid code", () => {
    const refusal = new RefusedError("wallet", {
      code: "a key?",
      httpStatus: 200,
      serviceMessage: "a secret",
    });
    assert.ok(!JSON.stringify(shareProblem(refusal, undefined, NOW)).includes("a "));
    for (const code of [Number.POSITIVE_INFINITY, "", "x".repeat(200)]) {
      const there = arrived(new RefusedError("wallet", { code, httpStatus: 200 }));
      assert.ok(there instanceof RefusedError);
      assert.equal(there.code, "unknown");
    }
  });
});
