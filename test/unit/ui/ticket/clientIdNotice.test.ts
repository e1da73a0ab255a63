import assert from "node:assert/strict";
import { loadUi, person, said } from "../../../support/fakes/vscode.ts";

const { notifyClientIdsIgnored } = await loadUi(() => import("../../../../src/ui/ticket/clientIdNotice.ts"));

describe("an exchange that does not keep the ids of orders", () => {
  it("is named in one quiet message, with what changes for a lost answer", async () => {
    person.choose = () => undefined;
    said.length = 0;
    await notifyClientIdsIgnored({ name: "api.example.com" });
    assert.equal(said.length, 1);
    assert.match(JSON.stringify(said), /api\.example\.com does not store .* checks your balance/);
  });
});
