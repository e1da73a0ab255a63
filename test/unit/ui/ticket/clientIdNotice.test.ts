import assert from "node:assert/strict";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";

const { notifyClientIdsIgnored } = await loadUi(() => import("../../../../src/ui/ticket/clientIdNotice.ts"));

describe("an exchange that does not store client order ids", () => {
  it("is named in one message that says what changes if a response is lost", async () => {
    person.choose = () => undefined;
    shownMessages.length = 0;
    await notifyClientIdsIgnored({ name: "api.example.com" });
    assert.equal(shownMessages.length, 1);
    assert.match(JSON.stringify(shownMessages), /api\.example\.com does not store .* checks your balance/);
  });
});
