import assert from "node:assert/strict";
import { reportOnChange } from "../../../src/desk/reportOnChange.ts";
import { NotSentError, RefusedError } from "../../../src/exchange/errors.ts";

const offline = (cause?: string): NotSentError =>
  new NotSentError(
    "wallet",
    "unreachable",
    "refused",
    cause === undefined ? {} : { cause: new Error(cause) },
  );
const limited = (retryAt: number): RefusedError =>
  new RefusedError("wallet", { code: 30, httpStatus: 200, retryAt });

describe("a problem", () => {
  it("is reported when it begins, changes and ends, and not at each repetition", () => {
    const reported: unknown[] = [];
    const meet = reportOnChange((problem) => reported.push(problem));
    const met = [
      undefined,
      offline(),
      offline(),
      offline("why"),
      offline("why"),
      undefined,
      undefined,
      offline(),
    ];
    for (const problem of met) meet(problem);
    assert.deepEqual(reported, [met[1], met[3], undefined, met[7]]);
  });

  it("counts as changed when the service asks for a new pause", () => {
    const reported: unknown[] = [];
    const meet = reportOnChange((problem) => reported.push(problem));
    for (const retryAt of [1000, 1000, 2000]) meet(limited(retryAt));
    assert.equal(reported.length, 2);
  });
});
