import assert from "node:assert/strict";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { type IdObservation, inSequence, observationsIn } from "../../../../src/market/orders/observation.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";

const AT = 1_000_000;

const sourcesIn = (changes: Partial<OrderReport>): readonly string[] =>
  observationsIn(testReport(changes)).map(({ source }) => source);

describe("what a report states", () => {
  it("is only its fills in a history that has nothing else", () => {
    const fills = [testFill("1", "4"), testFill("2", "1")];
    assert.deepEqual(sourcesIn({ source: "history", fills }), ["fill", "fill"]);
  });

  it("includes the order itself if anything but fills is known, or nothing is", () => {
    const fills = [testFill("1", "4")];
    assert.deepEqual(sourcesIn({ source: "info", fills }), ["info", "fill"]);
    assert.deepEqual(sourcesIn({ source: "push", fills, status: "filled" }), ["push", "fill"]);
    assert.deepEqual(sourcesIn({ source: "history", fills, closedAt: AT }), ["history", "fill"]);
    assert.deepEqual(sourcesIn({ source: "history", fills, unclearFills: 1 }), ["history", "fill"]);
    assert.deepEqual(sourcesIn({ source: "list" }), ["list"]);
  });
});

describe("the open orders that a listed order is not", () => {
  const openWith = (row: OrderReport, listed: readonly OrderReport[]): readonly string[] =>
    observationsIn(row, listed).flatMap((each) => (each.source === "fill" ? [] : each.openWith));

  it("are those it names, and those with a parent or the client id in common", () => {
    const row = testReport({ orderId: "7", otherIds: ["1", "2"], clientId: "BSD-1" });
    const listed = [
      row,
      testReport({ orderId: "1" }),
      testReport({ orderId: "8", otherIds: ["3", "2"] }),
      testReport({ orderId: "9", clientId: "BSD-1" }),
      testReport({ orderId: "10", otherIds: ["3"], clientId: "BSD-2" }),
      testReport({ orderId: "11" }),
    ];
    assert.deepEqual(openWith(row, listed), ["1", "8", "9"]);
  });

  it("are none for an order with a parent but no client id, if the others have neither", () => {
    const row = testReport({ orderId: "7", otherIds: ["1"] });
    assert.deepEqual(openWith(row, [row, testReport({ orderId: "8" })]), []);
  });

  it("are at most 20, because an exchange may name one parent in every row", () => {
    const listed = Array.from({ length: 30 }, (_, index) =>
      testReport({ orderId: String(index + 10), otherIds: ["1"] }),
    );
    assert.equal(openWith(testReport({ otherIds: ["1"] }), listed).length, 20);
  });
});

describe("the sequence of observations", () => {
  const assertSequence = (...expected: readonly IdObservation[]): void => {
    assert.deepEqual(inSequence(expected), expected);
    assert.deepEqual(inSequence(expected.toReversed()), expected);
  };
  const at = (ms: number, changes: Partial<OrderReport> = {}): readonly IdObservation[] =>
    observationsIn(testReport({ source: "list", status: "open", askedAt: ms, ...changes }));

  it("is by time, whatever the order of arrival", () => {
    assertSequence(...at(AT), ...at(AT + 1, { orderId: "3" }), ...at(AT + 10));
  });

  it("does not depend on the order of arrival within a millisecond", () => {
    assertSequence(...at(AT, { orderId: "7" }), ...at(AT, { orderId: "8" }));
  });

  it("has the fills of one response after the order, by their ids", () => {
    const [fill] = observationsIn(
      testReport({ source: "history", fills: [testFill("1", "4")], askedAt: AT, orderId: "8" }),
    );
    assert.ok(fill);
    assertSequence(...at(AT), fill, ...at(AT, { status: undefined, fills: [testFill("2", "4")] }));
  });

  it("has the request of a cancellation before an answer in the same millisecond", () => {
    const step = { source: "cancel", at: AT, orderId: "7" } as const;
    for (const answer of ["accepted", "notOpen", "rejected", "unanswered"] as const)
      assertSequence({ ...step, step: "requested" }, { ...step, step: answer });
  });
});
