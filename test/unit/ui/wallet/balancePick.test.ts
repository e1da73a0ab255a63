import assert from "node:assert/strict";
import { RefusedError } from "../../../../src/exchange/errors.ts";
import { openTestDesk, readAll, unattended } from "../../../support/desks/testDesk.ts";
import { shownMessages } from "../../../support/fakes/person.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";

const { showBalance } = await loadUi(() => import("../../../../src/ui/wallet/balancePick.ts"));

/** The entries of the balance pick on a live exchange whose wallet answers like this. */
async function entriesWith(walletAnswer: FakeClient["walletAnswer"]): Promise<readonly string[]> {
  const client = new FakeClient();
  client.walletAnswer = walletAnswer;
  const desk = await openTestDesk({ client, timers: new FakeTimers(), venue: "live", window: unattended });
  await readAll(desk);
  shownMessages.length = 0;
  showBalance(desk);
  const { text } = await waitFor("the pick", () => shownMessages.find(({ how }) => how === "choices"));
  desk.dispose();
  return text.split("\n");
}

describe("the pick of the balance", () => {
  it("offers to set the key, once and beside the reason, if the exchange rejects it", async () => {
    const refused = new RefusedError("wallet", { code: 3, httpStatus: 200 });
    const entries = await entriesWith(() => Promise.reject(refused));
    const ofKey = entries.filter((entry) => entry.includes("API Key"));
    assert.deepEqual(ofKey, ["$(warning) Set API Key and Secret…"]);
    assert.ok(entries.includes("$(add) Buy…"));
  });
});
