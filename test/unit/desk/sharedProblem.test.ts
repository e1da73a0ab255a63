import assert from "node:assert/strict";
import * as z from "zod/mini";
import { adoptProblem, shareProblem } from "../../../src/desk/sharedProblem.ts";
import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnreadableAnswerError,
} from "../../../src/exchange/errors.ts";
import { fromLeader } from "../../../src/hub/messages.ts";

/** A problem as it arrives in another window, by way of the wire and its schema. */
function arrived(problem: unknown): unknown {
  const message = {
    type: "market",
    venue: "practice",
    isNew: false,
    isLast: true,
    tickers: [],
    unreadable: 0,
  };
  const sent = JSON.stringify({ ...message, problem: shareProblem(problem) });
  const heard = z.parse(fromLeader, JSON.parse(sent));
  return heard.type === "market" ? adoptProblem(heard.problem) : assert.fail();
}

describe("a failure told to another window", () => {
  for (const problem of [
    new NotSentError("tickers", "unreachable", "ECONNREFUSED"),
    new NotSentError("wallet", "noCredentials", "none"),
    new NotSentError("wallet", "blocked", "still running", { retryAt: 1_795_000_000_000 }),
    new NotSentError("wallet", "clockUnknown", "x", { cause: new Error("why") }),
    new NoAnswerError("tickers", "timeout", "10 s"),
    new RefusedError("wallet", { code: 18, httpStatus: 200 }),
    new RefusedError("wallet", { code: "V1007-CW", httpStatus: 401 }),
    new RefusedError("tickers", { code: 429, httpStatus: 429, retryAt: 1_795_000_000_000 }),
    new UnreadableAnswerError("tickers", "httpStatus", 502, "a web page"),
  ]) {
    it(`is the same there: ${problem.message}`, () => {
      const there = arrived(problem);
      assert.ok(there instanceof problem.constructor);
      assert.deepEqual({ ...there }, { ...problem });
    });
  }

  it("is none where there is none, and an error inside Bidside stays one", () => {
    assert.equal(arrived(undefined), undefined);
    assert.ok(arrived(new TypeError("x is not a function")) instanceof Error);
  });

  it("does not repeat a service's words, nor a code that is none", () => {
    const told = new RefusedError("wallet", { code: "a key?", httpStatus: 200, serviceMessage: "a secret" });
    assert.ok(!JSON.stringify(shareProblem(told)).includes("a "));
    for (const code of [Number.POSITIVE_INFINITY, "", "x".repeat(200)]) {
      const there = arrived(new RefusedError("wallet", { code, httpStatus: 200 }));
      assert.ok(there instanceof RefusedError);
      assert.equal(there.code, "unknown");
    }
  });
});
