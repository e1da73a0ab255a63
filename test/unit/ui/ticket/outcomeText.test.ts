import assert from "node:assert/strict";
import { NoAnswerError, RefusedError, UnreadableAnswerError } from "../../../../src/exchange/errors.ts";
import { testBid } from "../../../support/builders/client.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { outcomeTexts } = await loadUi(() => import("../../../../src/ui/ticket/outcomeText.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { explain } = await loadUi(() => import("../../../../src/ui/text/errorText.ts"));

describe("the outcome of a bid, in words", () => {
  // M4
  it("gives an unknown bid only the remedy to look at the orders", async () => {
    const venue = (await openVenue(new FakeClient())).venue ?? assert.fail();
    const causes = [
      new NoAnswerError("placeBid", "timeout", "detail"),
      new NoAnswerError("placeBid", "connectionLost", "detail"),
      ...[200, 404, 500, 503].flatMap((status) =>
        (["httpStatus", "notJson", "shape", "tooLarge", "redirect"] as const).map(
          (reason) => new UnreadableAnswerError("placeBid", reason, status, "detail"),
        ),
      ),
      ...[19, 20, 21, 24, 90, 777, "V1007-CW"].map(
        (code) => new RefusedError("placeBid", { code, httpStatus: 200 }),
      ),
      new TypeError("boom"),
    ];
    for (const error of causes) {
      const outcome = { kind: "unknown", venue, order: testBid(), error } as const;
      const { text = "" } = outcomeTexts(outcome, "THB", new AmountText(false)).notice ?? {};
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
});
