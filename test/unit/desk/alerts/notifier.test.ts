import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Alert } from "../../../../src/market/alertRule.ts";
import { AlertFiles, CLAIM_MS } from "../../../../src/storage/alertFiles.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { openAlertWindow } from "../../../support/desks/alertWindow.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

const armed = testAlert();
const { id: ID } = armed;
/** Records the firing, as the first window that sees the price does. */
const fired: Alert = {
  ...armed,
  isOn: false,
  phase: "fired",
  round: 1,
  fired: { at: 1, price: 111, isSeen: false },
};

describe("announcing an alert", () => {
  let folder: string;
  let book: AlertFiles;
  let timers: FakeTimers;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "notifier-"));
    book = new AlertFiles(join(folder, "alerts"));
    // The age of a claim is the age of its file.
    timers = new FakeTimers(Date.now());
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function open(isInFront = true) {
    const announced: (number | undefined)[] = [];
    const troubles: string[] = [];
    const announce = (alert: Alert): number => announced.push(alert.fired?.price);
    const trouble = (what: string): number => troubles.push(what);
    return {
      ...(await openAlertWindow(folder, timers, announce, { isInFront, trouble })),
      announced,
      troubles,
    };
  }

  it("is done by the next window if the previous window ended between the record and the claim", async () => {
    book.put(fired);
    const { announced } = await open();
    await timers.advance(0);
    assert.deepEqual(announced, [111]);
    const later = await open();
    await timers.advance(60_000);
    assert.deepEqual(later.announced, []);
  });

  it("is done by another window once the claim is old if the claiming window died or froze", async () => {
    book.put(fired);
    assert.equal(book.claimAnnouncement(fired, timers.now), "mine");
    const { announced } = await open();
    await timers.advance(CLAIM_MS / 2);
    assert.deepEqual(announced, []);
    await timers.advance(CLAIM_MS);
    assert.deepEqual(announced, [111]);
  });

  it("is done by a window that was open all the time, after it rereads a dead window's record", async () => {
    const { announced, alerts, show } = await open();
    await show(100);
    book.put(fired);
    book.claimAnnouncement(fired, timers.now);
    alerts.reread();
    await timers.advance(2 * CLAIM_MS);
    assert.deepEqual(announced, [111]);
    assert.equal(alerts.unseen, 1);
  });

  it("is done by only one window, also if several windows see the price at the same time", async () => {
    book.put(armed);
    const windows = [await open(false), await open(true), await open(false)];
    for (const { show } of windows) await show(111);
    for (const { alerts } of windows) alerts.reread();
    await timers.advance(10 * CLAIM_MS);
    assert.deepEqual(
      windows.map(({ announced }) => announced),
      [[], [111], []],
    );
    assert.equal(book.isAnnounced(fired), true);
  });

  it("is still done after the user looked at the view", async () => {
    book.put(fired);
    book.claimAnnouncement(fired, timers.now);
    const { alerts, announced } = await open();
    alerts.markSeen();
    assert.equal(alerts.unseen, 1);
    await timers.advance(2 * CLAIM_MS);
    assert.deepEqual(announced, [111]);
    alerts.markSeen();
    assert.equal(alerts.unseen, 0);
  });

  it("is dropped if the user removed the alert or turned it on again", async () => {
    for (const change of [() => book.remove(ID), () => book.put({ ...armed, round: 1 })]) {
      timers = new FakeTimers(Date.now());
      book.put(fired);
      book.claimAnnouncement(fired, timers.now);
      const { announced } = await open();
      await timers.advance(0);
      change();
      await timers.advance(2 * CLAIM_MS);
      assert.deepEqual(announced, []);
      book.remove(ID);
    }
  });

  it("is done before the next firing of a repeating alert", async () => {
    const waiting: Alert = { ...fired, repeats: true, isOn: true, phase: "waiting" };
    book.put(waiting);
    book.claimAnnouncement(waiting, timers.now);
    const { announced, show } = await open();
    await timers.advance(0);
    for (const last of [100, 112]) {
      await show(last);
      await timers.advance(1);
    }
    await timers.advance(2 * CLAIM_MS);
    assert.deepEqual(announced, [111]);
    for (const last of [100, 113]) {
      await show(last);
      await timers.advance(1);
    }
    assert.deepEqual(announced, [111, 113]);
  });

  it("is done once in each window, also if the window cannot record it", async () => {
    book.put(armed);
    const full = (): never => {
      throw new Error("the disk is full");
    };
    for (const name of ["put", "claimAnnouncement", "recordAnnounced"] as const) {
      const works = AlertFiles.prototype[name];
      const { announced, show, alerts, troubles, close } = await open();
      AlertFiles.prototype[name] = full;
      try {
        for (const last of [111, 112, 113]) {
          await timers.advance(1);
          await show(last);
          alerts.reread();
        }
      } finally {
        Object.assign(AlertFiles.prototype, { [name]: works });
      }
      assert.deepEqual([announced, troubles[0]], [[111], "Alerts: the disk is full"], name);
      close();
      book.remove(ID);
      book.put(armed);
    }
  });

  it("is done although a record of that number exists: an edit in another window undid the firing", async () => {
    book.put(armed);
    writeFileSync(join(folder, "alerts", `fired-${ID}-0`), "");
    const windows = [await open(), await open()];
    for (const { show } of windows) await show(111);
    for (const { alerts } of windows) alerts.reread();
    await timers.advance(10 * CLAIM_MS);
    assert.deepEqual(
      windows.map(({ announced }) => announced),
      [[111], []],
    );
  });

  it("keeps one record of an alert that fires often, and no record of a removed alert", async () => {
    book.put({ ...armed, repeats: true });
    const { announced, show, alerts } = await open();
    for (let round = 0; round < 5; round += 1) {
      await timers.advance(1);
      await show(111);
      await timers.advance(1);
      await show(100);
    }
    assert.equal(announced.length, 5);
    assert.deepEqual(readdirSync(join(folder, "alerts")).sort(), [`alert-${ID}.json`, `fired-${ID}-4`]);
    writeFileSync(join(folder, "alerts", `alert-${ID}.json.0123abcd`), "{");
    alerts.remove(ID);
    assert.deepEqual(readdirSync(join(folder, "alerts")), []);
  });
});
