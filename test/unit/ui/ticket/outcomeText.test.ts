import assert from "node:assert/strict";
import { NoResponseError, RefusedError, UnreadableResponseError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderProblem } from "../../../../src/market/order.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { testFill, testKnown } from "../../../support/builders/reports.ts";
import { testBid } from "../../../support/builders/client.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { BID } from "../../../support/builders/formDraft.ts";
import { ownOrder } from "../../../support/builders/ownOrder.ts";

const ASK = { ...BID, side: "sell" } as const;

const { outcomeTexts, problemText, settledTexts } = await loadUi(
  () => import("../../../../src/ui/ticket/outcomeText.ts"),
);
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { explain } = await loadUi(() => import("../../../../src/ui/text/errorText.ts"));

describe("the text of a bid's outcome", () => {
  it("offers for an unknown bid only to check the orders", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const causes = [
      new NoResponseError("placeBid", "timeout", "detail"),
      new NoResponseError("placeBid", "connectionLost", "detail"),
      ...[200, 404, 500, 503].flatMap((status) =>
        (["httpStatus", "notJson", "shape", "tooLarge", "redirect"] as const).map(
          (reason) => new UnreadableResponseError("placeBid", reason, status, "detail"),
        ),
      ),
      ...[19, 20, 21, 24, 90, 777, "V1007-CW"].map(
        (code) => new RefusedError("placeBid", { code, httpStatus: 200 }),
      ),
      new TypeError("boom"),
    ];
    for (const error of causes) {
      const outcome = { kind: "unknown", venue, order: testBid(), error } as const;
      const { text = "" } = outcomeTexts(outcome, BID, new AmountText(false)).notice ?? {};
      const { cause, sentence } = explain(error, new AmountText(false), venue.name);
      assert.ok(sentence.startsWith(cause), sentence);
      assert.ok(
        text.includes(
          ` your order may have been placed. Checking your balance… ${cause} Check your orders on`,
        ),
      );
      assert.doesNotMatch(cause, /again|Check|Enter|Look|Activate|Raise|The log/, text);
    }
  });

  it("repeats why the exchange rejected an order in the exchange's own words, and what to do beside the field", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const serviceMessage = "The rate is more than 10% away.";
    const error = new RefusedError("placeBid", { code: 14, httpStatus: 200, serviceMessage });
    const outcome = { kind: "rejected", venue, order: testBid(), error } as const;
    const { notice, fields } = outcomeTexts(outcome, BID, new AmountText(false));
    assert.match(
      notice?.text ?? "",
      /^Rejected\. Nothing was spent\. \S+ returned error 14: Improper rate \(The rate is more than 10% away\)/,
    );
    assert.match(fields?.rate ?? "", /closer to the last price/);
  });

  it("says how far an order has filled, and how it ended", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const outcome = {
      kind: "accepted",
      venue,
      order: { ...testBid("0.5", "15000"), side: "sell" },
      receipt: { orderId: "7" },
    } as const;
    const part = [testFill("a", "4.52")];
    for (const [report, tone, sentence] of [
      [{ status: "open" }, "good", "It fills when the market reaches your limit price."],
      [
        { status: "open", fills: part },
        "good",
        "45.2% filled so far, at 100.00 THB. The rest stays open at your limit price.",
      ],
      [{ status: "filled", fills: [testFill("a", "10")] }, "good", "Filled at 100.00 THB."],
      [{ status: "filled" }, "good", "Filled."],
      [{ status: "cancelled" }, "info", "Cancelled: nothing was sold."],
      [{ status: "rejected" }, "bad", "Rejected: nothing was sold."],
      [
        { status: "partlyFilledCancelled", fills: part },
        "info",
        "45.2% filled, then cancelled, at 100.00 THB.",
      ],
      [{ closedAt: 1 }, "info", "Ended, outcome unknown."],
    ] satisfies [Partial<OrderReport>, string, string][]) {
      const known = testKnown([report]);
      const { notice } = outcomeTexts(outcome, ASK, new AmountText(true), 2, known);
      assert.deepEqual([notice?.tone, /Order ID: 7\. (.*)$/.exec(notice?.text ?? "")?.[1]], [tone, sentence]);
    }
    const absences = [1, 60_001].map((at) => ({ source: "absent", at, orderId: "7" }) as const);
    const { notice } = outcomeTexts(
      outcome,
      ASK,
      new AmountText(true),
      2,
      testKnown([{ status: "open", askedAt: 0 }], ...absences),
    );
    assert.equal(notice?.tone, "warning");
    assert.match(notice?.text ?? "", /no longer lists this order and does not report its outcome/);
  });

  it("says what an ask sold and for what, or that nothing was sold", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const [order, amounts] = [{ ...testBid("0.5", "15000"), side: "sell" } as const, new AmountText(false)];
    const text = (outcome: Parameters<typeof outcomeTexts>[0]): string =>
      outcomeTexts(outcome, ASK, amounts).notice?.text ?? "";
    assert.match(
      text({ kind: "accepted", venue, order, receipt: { orderId: "7" } }),
      /accepted your order: 0\.5 BTC for THB at 15,000\.00\. Order ID: 7\./,
    );
    const error = new RefusedError("placeAsk", { code: 18, httpStatus: 200 });
    assert.match(text({ kind: "rejected", venue, order, error }), /^Rejected\. Nothing was sold\./);
    assert.match(text({ kind: "notSent", venue, order, error }), /^Not sent\. Nothing was sold\./);
    assert.match(text({ kind: "notRecorded", error }), /Nothing was sold\./);
    const intent = bidIntent({ side: "sell", amount: "0.5" });
    const record = ownOrder({ intent, state: "rejected", since: 0, orderId: undefined, evidence: [] });
    assert.match(settledTexts(record, amounts).notice?.text ?? "", /nothing was sold: 0\.5 BTC for THB at/);
  });

  it("names asset and limit for each problem of an ask", () => {
    const limit = new Decimal("10");
    const text = (field: OrderProblem["field"], code: OrderProblem["code"]): string =>
      problemText({ field, code, limit }, ASK, new AmountText(false));
    assert.deepEqual(
      [
        text("amount", "missing"),
        text("rate", "missing"),
        text("amount", "belowMinimum"),
        text("amount", "aboveMaximum"),
        text("amount", "aboveAvailable"),
        text("amount", "quantityZero"),
        text("rate", "farBelowLast"),
      ],
      [
        "Enter the amount to sell.",
        "Enter the lowest price to accept.",
        "Worth less than the minimum of 10.00 THB.",
        "Worth more than your limit of 10.00 THB per order.",
        "Exceeds your available balance of 10 BTC.",
        "Too small to yield anything at this price.",
        "Too far below the last price. The minimum is 10.00 THB.",
      ],
    );
  });
});
