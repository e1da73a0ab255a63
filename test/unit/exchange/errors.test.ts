import assert from "node:assert/strict";
import {
  NoResponseError,
  NotSentError,
  RefusedError,
  UnreadableResponseError,
} from "../../../src/exchange/errors.ts";

describe("an exchange error", () => {
  it("proves that nothing happened only if nothing was sent or the code proves that", () => {
    const errors = [
      new NotSentError("placeBid", "unreachable", "detail"),
      new NoResponseError("placeBid", "timeout", "detail"),
      new UnreadableResponseError("placeBid", "notJson", 200, "detail"),
      new RefusedError("placeBid", { code: 18, httpStatus: 200 }),
      new RefusedError("placeBid", { code: 19, httpStatus: 200 }),
    ];
    assert.deepEqual(
      errors.map((error) => error.provesNothingHappened),
      [true, false, false, true, false],
    );
  });
});
