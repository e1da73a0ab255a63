import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RefusedError } from "../../../src/exchange/errors.ts";
import { close, openTestDesk, readAll, submit } from "../../support/desks/testDesk.ts";
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

  it("ends a rate limit of orders when the clock is set back, for good", async () => {
    const storage = mkdtempSync(join(tmpdir(), "desk-"));
    const client = new FakeClient();
    const timers = new FakeTimers();
    const desk = await openTestDesk({ client, storage, timers });
    await readAll(desk);
    const retryAt = timers.now() + 600_000;
    client.bidAnswer = () =>
      Promise.reject(new RefusedError("placeBid", { code: 30, httpStatus: 429, retryAt }));
    await submit(desk, { symbol: "THB_BTC", amount: "100", rate: "100" });
    const waitMs = (): number => desk.orders.waitMs(desk.venue.venue ?? assert.fail());
    assert.equal(waitMs(), 600_000);
    timers.sleep(-3_600_000);
    await timers.advance(2_000);
    assert.equal(waitMs(), 0);
    await timers.advance(3_600_000);
    assert.equal(waitMs(), 0, "also when the clock gets to that time again");
    await close(desk);
    rmSync(storage, { recursive: true, force: true });
  });
});
