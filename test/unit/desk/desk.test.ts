import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { close, openTestDesk, submit } from "../../support/desks/testDesk.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { FakeClient } from "../../support/fakes/venue.ts";

describe("the desk", () => {
  it("refuses an order at once while no exchange is open", async () => {
    const storage = mkdtempSync(join(tmpdir(), "desk-"));
    // No time passes, so the refusal cannot come from a timeout.
    const desk = await openTestDesk({ client: new FakeClient(), storage, timers: new FakeTimers() });
    void desk.venue.select("live");
    assert.equal(desk.venue.venue, undefined);
    const draft = { symbol: "THB_BTC", amount: "1000", rate: "100" };
    assert.deepEqual(await submit(desk, draft), { kind: "noVenue" });
    await close(desk);
    rmSync(storage, { recursive: true, force: true });
  });
});
