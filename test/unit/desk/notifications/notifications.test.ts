import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { alertFiring } from "../../../../src/desk/notifications/firing.ts";
import { Notifications } from "../../../../src/desk/notifications/notifications.ts";
import type { Alert } from "../../../../src/market/alertRule.ts";
import { AlertFiles } from "../../../../src/storage/alertFiles.ts";
import { CLAIM_MS, NotificationClaims, RETENTION_MS } from "../../../../src/storage/notificationClaims.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { openAlertWindow } from "../../../support/desks/alertWindow.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const armed = testAlert();
const { id: ID } = armed;

describe("a firing", () => {
  let folder: string;
  let book: AlertFiles;
  let claims: NotificationClaims;
  let timers: FakeTimers;
  /** Recorded, as by the first window that sees the price. */
  let fired: Alert;
  beforeEach(() => {
    folder = temporaryFolder();
    book = new AlertFiles(join(folder, "alerts"));
    claims = new NotificationClaims(join(folder, "notifications"));
    // The age of a claim is the age of its file.
    timers = new FakeTimers(Date.now());
    fired = {
      ...armed,
      isOn: false,
      phase: "fired",
      fired: { armedAt: armed.armedAt, at: timers.now(), price: 111, isSeen: false },
    };
  });

  const claim = (alert = fired) => claims.claim("test", alertFiring(alert)?.key ?? "", timers.now());

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

  it("is delivered by the next window if the previous window ended between the record and the claim", async () => {
    book.put(fired);
    const { announced } = await open();
    await timers.advance(0);
    assert.deepEqual(announced, [111]);
    const later = await open();
    await timers.advance(60_000);
    assert.deepEqual(later.announced, []);
  });

  it("is delivered by another window once the claim is old if the claiming window died", async () => {
    book.put(fired);
    assert.equal(claim().kind, "claimed");
    const { announced } = await open();
    await timers.advance(CLAIM_MS / 2);
    assert.deepEqual(announced, []);
    await timers.advance(CLAIM_MS);
    assert.deepEqual(announced, [111]);
  });

  it("is delivered by a window that was open all the time, after it rereads a dead window's record", async () => {
    const { announced, alerts, show } = await open();
    await show(100);
    book.put(fired);
    claim();
    alerts.reread();
    await timers.advance(2 * CLAIM_MS);
    assert.deepEqual(announced, [111]);
  });

  it("is delivered by only one window, the one in front, if several windows see the price at the same time", async () => {
    book.put(armed);
    const windows = [await open(false), await open(true), await open(false)];
    for (const { show } of windows) await show(111);
    for (const { alerts } of windows) alerts.reread();
    await timers.advance(10 * CLAIM_MS);
    assert.deepEqual(
      windows.map(({ announced }) => announced),
      [[], [111], []],
    );
  });

  it("is still delivered after the user looked at the list of alerts", async () => {
    book.put(fired);
    claim();
    const { alerts, announced } = await open();
    await timers.advance(0);
    alerts.markSeen();
    await timers.advance(2 * CLAIM_MS);
    assert.deepEqual(announced, [111]);
    assert.equal(alerts.unseen, 0);
  });

  it("is delivered before the next firing of a repeating alert", async () => {
    const waiting: Alert = { ...fired, repeats: true, isOn: true, phase: "waiting" };
    book.put(waiting);
    claim(waiting);
    const { announced, show } = await open();
    await timers.advance(0);
    for (const last of [100, 112]) {
      await timers.advance(1);
      await show(last);
    }
    assert.deepEqual(announced, []);
    await timers.advance(2 * CLAIM_MS);
    assert.deepEqual(announced, [111, 112]);
  });

  it("is delivered once in each window, also if the window cannot record it", async () => {
    book.put(armed);
    const full = (): never => {
      throw new Error("the disk is full");
    };
    for (const [prototype, name, trouble] of [
      [AlertFiles.prototype, "put", "Alerts"],
      [NotificationClaims.prototype, "claim", "Notifications"],
      [NotificationClaims.prototype, "markDelivered", "Notifications"],
    ] as const) {
      const works: unknown = Reflect.get(prototype, name);
      const { announced, show, alerts, troubles, close } = await open();
      Object.assign(prototype, { [name]: full });
      try {
        for (const last of [111, 112, 113]) {
          await timers.advance(1);
          await show(last);
          alerts.reread();
        }
      } finally {
        Object.assign(prototype, { [name]: works });
      }
      assert.deepEqual([announced, troubles[0]], [[111], `${trouble}: the disk is full`], name);
      close();
      rmSync(join(folder, "notifications"), { recursive: true, force: true });
      book.put(armed);
    }
  });

  it("is not delivered again after its claim was removed because of its age", async () => {
    book.put(fired);
    const first = await open();
    await timers.advance(0);
    assert.deepEqual(first.announced, [111]);
    first.close();
    await timers.advance(RETENTION_MS + 1);
    const { announced } = await open();
    await timers.advance(60_000);
    assert.deepEqual(announced, []);
  });

  it("reaches every channel, also if another channel fails", async () => {
    const delivered: string[] = [];
    const errors: unknown[] = [];
    const isOn = () => true;
    const notifications = new Notifications({
      channels: [
        { id: "broken", isOn, send: () => Promise.reject(new Error("broken")) },
        {
          id: "whole",
          isOn,
          send: async ({ key }) => {
            delivered.push(key);
            return { kind: "sent" };
          },
        },
      ],
      folder: join(folder, "notifications"),
      claims,
      timers,
      random: () => 0,
      isInFront: () => true,
      onError: (error) => errors.push(error),
    });
    for (let time = 0; time < 2; time += 1) notifications.notify(alertFiring(fired));
    await timers.advance(0);
    notifications.dispose();
    assert.deepEqual(delivered, [`alert-${ID}-${armed.armedAt}`]);
    assert.equal(errors.length, 1);
    assert.deepEqual([...notifications.problems], [["broken", { kind: "unexpected" }]]);
  });
});
