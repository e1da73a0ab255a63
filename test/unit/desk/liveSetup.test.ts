import assert from "node:assert/strict";
import { firstOpenStep, mendingOf, type Mending } from "../../../src/desk/liveSetup.ts";
import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnreadableAnswerError,
  type NotSentReason,
} from "../../../src/exchange/errors.ts";

// U1
describe("the set-up of a live exchange", () => {
  it("begins with the address, and continues at the first step that is incomplete", () => {
    const baseUrl = "https://api.example.com";
    const begun = { baseUrl, headerPrefix: "X-SVC-" };
    for (const [hasAddress, draft, stored, step] of [
      [false, {}, "none", "address"],
      [true, {}, "none", "address"],
      [true, {}, "pair", "address"],
      [true, { baseUrl }, "none", "prefix"],
      [true, { baseUrl }, "pair", "prefix"],
      [true, begun, "none", "key"],
      [true, begun, "key", "secret"],
      [true, {}, "key", "secret"],
      [true, begun, "pair", "test"],
    ] as const)
      assert.equal(
        firstOpenStep({ hasAddress, draft, stored }),
        step,
        `${hasAddress}, ${JSON.stringify(draft)}, ${stored}`,
      );
  });
});

describe("the step that corrects a failed check", () => {
  const refused = (code: number | string, httpStatus = 200) =>
    new RefusedError("wallet", { code, httpStatus });
  const notSent = (reason: NotSentReason, cause?: unknown) =>
    new NotSentError("wallet", reason, "", { cause });
  const unreadable = (reason: "shape" | "notJson" | "redirect" | "tooLarge") =>
    new UnreadableAnswerError("wallet", reason, 200, "");
  const page = (status: number) => new UnreadableAnswerError("wallet", "httpStatus", status, "");

  const cases: [what: string, error: unknown, alone: Mending, withAnswers: Mending][] = [
    ["an address without an answer", notSent("unreachable"), "address", "address"],
    ["another host's certificate", notSent("certificate"), "address", "address"],
    ["a timeout", new NoAnswerError("serverTime", "timeout", ""), "address", "test"],
    ["a missing page", page(404), "address", "settings"],
    ["a web page", unreadable("notJson"), "address", "settings"],
    ["another shape", unreadable("shape"), "address", "settings"],
    ["a redirect", unreadable("redirect"), "address", "settings"],
    ["a server error", page(503), "test", "test"],
    ["a path that an API does not have", refused(404, 404), "settings", "settings"],
    ["a firewall", page(403), "test", "test"],
    ["a key that a gateway refuses", page(401), "key", "key"],
    ["a proxy that wants a password", notSent("proxySignIn"), "test", "test"],
    ["a missing key header", refused(2), "prefix", "prefix"],
    ["a missing timestamp header", refused(7), "prefix", "prefix"],
    ["no key", notSent("noCredentials"), "key", "key"],
    ["a wrong key", refused(3), "key", "key"],
    ["a wrong key in the newest API generation", refused("A1000", 401), "key", "key"],
    ["a wrong secret", refused(6), "secret", "secret"],
    ["a wrong secret in the newest API generation", refused("V1003", 400), "secret", "secret"],
    ["a wrong clock", refused(8), "test", "test"],
    ["an unreadable server clock", notSent("clockUnknown", notSent("unreachable")), "address", "address"],
    ["a computer without permission", refused(5), "test", "test"],
    ["a rate limit", refused(30), "test", "test"],
    ["a bug", new Error("bug"), "test", "test"],
  ];
  for (const [what, error, alone, withAnswers] of cases)
    it(`${what}: ${alone === withAnswers ? alone : `${alone}, or ${withAnswers} after an answer`}`, () => {
      assert.equal(mendingOf(error, false), alone);
      assert.equal(mendingOf(error, true), withAnswers);
    });
});
