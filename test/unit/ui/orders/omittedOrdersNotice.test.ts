import assert from "node:assert/strict";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";

const { warnOrdersOmitted } = await loadUi(() => import("../../../../src/ui/orders/omittedOrdersNotice.ts"));

describe("an exchange that reports more orders than the journal records", () => {
  it("is named in one message that says what it means for own orders", async () => {
    person.choose = () => undefined;
    shownMessages.length = 0;
    await warnOrdersOmitted({ name: "api.example.com" });
    assert.equal(shownMessages.length, 1);
    assert.match(
      JSON.stringify(shownMessages),
      /api\.example\.com reports more .* own orders are always recorded/,
    );
  });
});
