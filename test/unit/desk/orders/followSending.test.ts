import assert from "node:assert/strict";
import { Event } from "../../../../src/desk/event.ts";
import { followSending } from "../../../../src/desk/orders/followSending.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import type { SkippedLine } from "../../../../src/storage/orders/skippedLines.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

describe("a bid that is being sent", () => {
  it("is read again until it is settled, because its window may have been killed", async () => {
    const timers = new FakeTimers();
    const changed = new Event<void>();
    const orders = {
      own: [{ state: "sending" as OwnOrder["state"] }],
      skippedLines: [] as Pick<SkippedLine, "reason">[],
      onDidChange: changed.add,
    };
    let rereads = 0;
    const stop = followSending(orders, timers, () => {
      rereads += 1;
      changed.fire();
    });
    changed.fire();
    changed.fire();
    await timers.advance(6000);
    assert.equal(rereads, 3);
    orders.own = [{ state: "unknown" }];
    await timers.advance(60_000);
    assert.deepEqual([rereads, timers.nextIn], [4, undefined]);
    orders.skippedLines = [{ reason: "unreadable" }];
    changed.fire();
    await timers.advance(60_000);
    assert.equal(rereads, 6, "an unreadable file is read again, less often");
    orders.skippedLines = [{ reason: "damaged" }];
    await timers.advance(60_000);
    assert.deepEqual([rereads, timers.nextIn], [7, undefined]);
    orders.own = [{ state: "sending" }];
    changed.fire();
    stop();
    assert.equal(timers.nextIn, undefined);
  });
});
