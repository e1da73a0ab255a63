import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { AlertsError, MAX_ALERTS, SNOOZE_MS } from "../../../../src/desk/alerts/alerts.ts";
import type { AlertRule } from "../../../../src/market/alertRule.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { AlertFiles } from "../../../../src/storage/alertFiles.ts";
import { openAlerts } from "../../../support/builders/openAlerts.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf, liveAccount } from "../../../support/fakes/venue.ts";
import { tickerFeed } from "../../../support/fakes/feeds.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const above: AlertRule = { kind: "above", price: "110" };
const below: AlertRule = { kind: "below", price: "90" };
const change: AlertRule = { kind: "change", percent: "5", minutes: 1 };

describe("an alert", () => {
  let folder: string;
  beforeEach(() => void (folder = temporaryFolder()));

  /** A window. `show` gives the window a market. */
  async function openWindow(timers = new FakeTimers(), isInFront = true) {
    const client = new FakeClient();
    const venue = await openVenue(client);
    const tickers = tickerFeed(venue, timers);
    const troubles: unknown[] = [];
    const store = new AlertFiles(folder);
    const onError = (error: unknown): unknown => troubles.push(error);
    const parts = { store, tickers, venue, timers, isInFront, onError };
    const { alerts, announced } = openAlerts(folder, parts);
    return {
      alerts,
      store,
      announced,
      troubles,
      timers,
      venue,
      async show(last: number, more: Partial<Ticker> = {}) {
        await timers.advance(1);
        client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last, ...more })));
        await tickers.refresh();
      },
      async fail() {
        client.tickersAnswer = () => Promise.reject(new Error("no network"));
        await tickers.refresh();
      },
    };
  }

  it("fires once when the price is reached, also if the price stays there", async () => {
    const { alerts, announced, show } = await openWindow();
    alerts.add("THB_BTC", above, false);
    for (const last of [100, 109.99, 110, 111, 100, 112]) await show(last);
    assert.deepEqual(
      announced.map(({ fired }) => fired?.price),
      [110],
    );
    assert.equal(alerts.list[0]?.isOn, false);
    assert.equal(alerts.unseen, 1);
    assert.equal(alerts.isArmed, false);
  });

  it("fires again without the user only if it repeats and the price has moved back", async () => {
    const { alerts, announced, show } = await openWindow();
    alerts.add("THB_BTC", above, true);
    for (const last of [110, 109.9, 110.1, 109, 110.5, 111]) await show(last);
    assert.deepEqual(
      announced.map(({ fired }) => fired?.price),
      [110, 110.5],
    );
    assert.equal(alerts.isArmed, true);
  });

  it("on a volume fires at the volume of the base or of the quote, and waits if it is turned on beyond it", async () => {
    const { alerts, announced, show } = await openWindow();
    const { id } = alerts.add("THB_BTC", { kind: "volume", volume: "1100", asset: "BTC" }, false);
    alerts.add("THB_BTC", { kind: "volume", volume: "5000000", asset: "THB" }, false);
    for (const baseVolume of [1000, 1099, 1100, 1200]) await show(100, { baseVolume });
    await show(101, { quoteVolume: 5e6 });
    assert.deepEqual(
      announced.map(({ rule, fired }) => [rule.kind === "volume" && rule.asset, fired?.price]),
      [
        ["BTC", 100],
        ["THB", 101],
      ],
    );
    await show(100, { baseVolume: 1200 });
    alerts.switch([id], true);
    assert.equal(alerts.get(id)?.phase, "waiting");
  });

  it("on a change counts from the time it was turned on, and starts again after it fired", async () => {
    const { alerts, announced, show, timers } = await openWindow();
    await show(200);
    alerts.add("THB_BTC", change, true);
    for (const last of [100, 104, 105]) await show(last);
    assert.equal(announced.length, 1, "200 was before the alert was turned on");
    await show(107);
    await timers.advance(30_000);
    for (const last of [107, 105]) await show(last);
    assert.equal(announced.length, 1);
    await show(101.65);
    assert.equal(announced.length, 2, "5 % below 107");
  });

  it("on a change ignores prices that are older than its minutes", async () => {
    const { alerts, announced, show, timers } = await openWindow();
    alerts.add("THB_BTC", change, false);
    await show(100);
    await timers.advance(61_000);
    await show(106);
    assert.equal(announced.length, 0);
  });

  it("on a change forgets the past prices when the exchange changes", async () => {
    const { alerts, announced, show, venue } = await openWindow();
    alerts.add("THB_BTC", change, false);
    await show(100);
    for (const each of [liveAccount, practiceAccount]) await venue.select(each);
    await show(106);
    assert.equal(announced.length, 0);
    await show(112);
    assert.equal(announced.length, 1);
  });

  it("never fires on a frozen pair, an invalid price or stale prices", async () => {
    const { alerts, announced, show, fail } = await openWindow();
    alerts.add("THB_BTC", below, true);
    await show(100);
    await show(50, { frozen: true });
    await show(0);
    await show(100);
    await fail();
    assert.equal(announced.length, 0);
    await show(89);
    assert.equal(announced.length, 1);
  });

  it("can be turned on again, snoozed, switched off and removed by the user", async () => {
    const { alerts, announced, show, timers } = await openWindow();
    const { id } = alerts.add("THB_BTC", above, false);
    await show(111);
    alerts.rearm(id, SNOOZE_MS);
    await show(111);
    assert.equal(announced.length, 1, "snoozed");
    await timers.advance(SNOOZE_MS);
    await show(111);
    assert.equal(announced.length, 2);
    alerts.switch([id], true);
    alerts.switch([id], false);
    await show(111);
    assert.equal(announced.length, 2);
    alerts.markSeen();
    assert.equal(alerts.unseen, 0);
    alerts.remove(id);
    assert.deepEqual(alerts.list, []);
  });

  it("that is turned on beyond its level fires only after the price has moved back", async () => {
    const { alerts, announced, show } = await openWindow();
    const { id } = alerts.add("THB_BTC", above, false);
    await show(111);
    for (const turnOn of [() => alerts.rearm(id), () => alerts.switch([id], true)]) {
      const before = announced.length;
      await show(112);
      turnOn();
      assert.deepEqual([alerts.get(id)?.isOn, alerts.get(id)?.phase], [true, "waiting"]);
      await show(113);
      assert.equal(announced.length, before);
      await show(105);
      await show(110);
      assert.equal(announced.length, before + 1);
      assert.equal(alerts.get(id)?.isOn, false);
    }
  });

  it("stays on if the disk cannot store that the user turned the alert off", async () => {
    const { alerts, store } = await openWindow();
    const { id } = alerts.add("THB_BTC", above, false);
    let changes = 0;
    alerts.onDidChange(() => (changes += 1));
    store.put = () => {
      throw new Error("ENOSPC: no space left on device, write");
    };
    assert.throws(() => alerts.switch([id], false), /ENOSPC/);
    assert.deepEqual([alerts.list[0]?.isOn, changes], [true, 1]);
  });

  it("keeps its id after an edit, is on with the new rule, and forgets its last firing", async () => {
    const { alerts, announced, show, timers } = await openWindow();
    const { id } = alerts.add("THB_BTC", above, false);
    await show(111);
    assert.equal(announced.length, 1);
    await timers.advance(1);
    const edited = alerts.edit(id, { kind: "above", price: "120" }, true);
    assert.deepEqual(
      [edited.id, edited.isOn, edited.phase, edited.fired, alerts.unseen],
      [id, true, "armed", undefined, 0],
    );
    for (const last of [115, 120]) await show(last);
    assert.deepEqual(
      announced.map(({ fired }) => fired?.price),
      [111, 120],
    );
    assert.deepEqual(
      (await openWindow()).alerts.list.map(({ rule, repeats }) => [rule, repeats]),
      [[{ kind: "above", price: "120" }, true]],
    );
  });

  it("stays removed after another window removed it, and cannot be edited", async () => {
    const [first, second] = [await openWindow(), await openWindow()];
    const { id } = first.alerts.add("THB_BTC", above, false);
    second.alerts.reread();
    first.alerts.remove(id);
    assert.throws(() => second.alerts.edit(id, below, false), new AlertsError("removed"));
    assert.deepEqual([second.alerts.list, new AlertFiles(folder).list()], [[], []]);
  });

  it("is loaded unchanged by the next window", async () => {
    const first = await openWindow();
    first.alerts.add("THB_BTC", above, false);
    first.alerts.add("THB_BTC", change, true);
    await first.show(111);
    const second = await openWindow();
    assert.deepEqual(second.alerts.list, first.alerts.list);
    assert.equal(second.alerts.unseen, 1);
  });

  it("fires a change event after a reread only if another window changed the alert", async () => {
    const [mine, other] = [await openWindow(), await openWindow()];
    const { id } = mine.alerts.add("THB_BTC", above, false);
    let changes = 0;
    mine.alerts.onDidChange(() => (changes += 1));
    mine.alerts.reread();
    assert.equal(changes, 0);
    other.alerts.reread();
    other.alerts.switch([id], false);
    mine.alerts.reread();
    assert.equal(changes, 1);
  });

  it("belongs to the venue of the moment when it was added", async () => {
    const { alerts, venue } = await openWindow();
    alerts.add("THB_BTC", above, false);
    await venue.select(liveAccount);
    assert.deepEqual([alerts.list, alerts.ofOtherAccounts], [[], 1]);
    assert.equal(alerts.isArmed, false);
  });

  it("is announced by a background window a moment later if no window is in front", async () => {
    const timers = new FakeTimers();
    const windows = [await openWindow(timers, false), await openWindow(timers, false)];
    windows[0]?.alerts.add("THB_BTC", above, false);
    windows[1]?.alerts.reread();
    for (const window of windows) await window.show(111);
    await timers.advance(2000);
    assert.equal(windows.flatMap(({ announced }) => announced).length, 1);
  });

  it("stays removed after another window removed it, and never fires", async () => {
    const timers = new FakeTimers();
    const [first, second] = [await openWindow(timers), await openWindow(timers)];
    const { id } = first.alerts.add("THB_BTC", above, false);
    second.alerts.reread();
    first.alerts.remove(id);
    await second.show(111);
    assert.deepEqual([second.announced, second.alerts.list, new AlertFiles(folder).list()], [[], [], []]);
  });

  it("fires exactly when a scan of all prices would, for any market", async () => {
    const price = fc.integer({ min: 80, max: 120 });
    await fc.assert(
      fc.asyncProperty(fc.array(price, { maxLength: 30 }), fc.boolean(), async (prices, repeats) => {
        rmSync(folder, { recursive: true, force: true });
        const { alerts, announced, show } = await openWindow();
        alerts.add("THB_BTC", above, repeats);
        const expected: number[] = [];
        let armed = true;
        for (const last of prices) {
          await show(last);
          if (armed && last >= 110) {
            expected.push(last);
            armed = false;
          } else if (repeats && !armed && last < 110 * 0.995) armed = true;
        }
        assert.deepEqual(
          announced.map(({ fired }) => fired?.price),
          expected,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("is refused beyond the maximum number of alerts", async () => {
    const { alerts } = await openWindow();
    for (let count = 0; count < MAX_ALERTS; count += 1) alerts.add("THB_BTC", above, false);
    assert.equal(alerts.problem, "tooMany");
    assert.throws(() => alerts.add("THB_BTC", above, false), new AlertsError("tooMany"));
    alerts.remove(alerts.list[0]?.id ?? assert.fail());
    assert.equal(alerts.problem, undefined);
  });

  it("is not announced if the claim fails, and the window reports the problem", async () => {
    const { alerts, announced, troubles, show } = await openWindow();
    alerts.add("THB_BTC", above, false);
    rmSync(folder, { recursive: true });
    await show(111);
    assert.equal(announced.length, 0);
    alerts.reread();
    assert.equal(troubles.length, 1);
  });
});
