import assert from "node:assert/strict";
import type { CancelQuestion } from "../../../../src/desk/tracking/canceller.ts";
import { testFill, testKnown } from "../../../support/builders/reports.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { liveAccount } from "../../../support/fakes/venue.ts";

const { confirmCancel } = await loadUi(() => import("../../../../src/ui/orders/cancelQuestion.ts"));

describe("the question before a cancellation", () => {
  it("names each order with its size, limit price, filled share and id, and cancels only if its button is pressed", async () => {
    const known = testKnown([{ fills: [testFill("a", "4")] }]);
    const question = {
      venue: { account: liveAccount, name: "exchange" },
      targets: [{ known }],
      isFrozen: false,
      now: 0,
    };
    const offered: (readonly string[])[] = [];
    for (const answer of ["Cancel Order", "Keep Order", undefined]) {
      shownMessages.length = 0;
      person.choose = (buttons) => {
        offered.push(buttons);
        return answer;
      };
      assert.equal(await confirmCancel(question as unknown as CancelQuestion), answer === "Cancel Order");
    }
    person.choose = () => undefined;
    assert.deepEqual(offered[0], ["Cancel Order", "Keep Order"]);
    const [dialog] = shownMessages;
    assert.deepEqual([dialog?.how, dialog?.text], ["warning", "Cancel this order for BTC/THB on exchange?"]);
    assert.match(
      dialog?.more ?? "",
      /"Sell BTC · 10 BTC @ 100\.00 THB · 40\.0% filled · order 7\\n\\nAn order may still fill/,
    );
  });
});
