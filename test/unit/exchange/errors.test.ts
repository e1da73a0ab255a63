import assert from "node:assert/strict";
import {
  ExchangeError,
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnreadableAnswerError,
} from "../../../src/exchange/errors.ts";

describe("exchange errors", () => {
  const cause = new Error("below");
  const errors = [
    new NotSentError("placeBid", "unreachable", "detail", { cause }),
    new NoAnswerError("placeBid", "timeout", "detail", cause),
    new UnreadableAnswerError("placeBid", "notJson", 200, "detail", { cause }),
    new RefusedError("placeBid", { code: 18, httpStatus: 200 }),
    new RefusedError("placeBid", { code: 19, httpStatus: 200 }),
  ];

  it("have one base class, and each has the name of its class and its endpoint", () => {
    for (const error of errors) {
      assert.ok(error instanceof ExchangeError && error instanceof Error);
      assert.equal(error.name, error.constructor.name);
      assert.match(error.message, /^placeBid: /);
      assert.equal(error.endpoint, "placeBid");
    }
    assert.deepEqual(
      errors.map(({ kind }) => kind),
      ["notSent", "noAnswer", "unreadable", "refused", "refused"],
    );
  });

  it("prove that nothing happened only if nothing was sent or the code proves that", () => {
    assert.deepEqual(
      errors.map((error) => error.provesNothingHappened),
      [true, false, false, true, false],
    );
  });

  it("keep their cause", () => {
    assert.equal(errors[0]?.cause, cause);
    assert.ok(!("cause" in (errors[3] ?? {})));
  });
});
