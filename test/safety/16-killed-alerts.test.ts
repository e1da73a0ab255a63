import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alertFiring } from "../../src/desk/notifications/firing.ts";
import { namesIn } from "../../src/files/atomicFiles.ts";
import type { Alert } from "../../src/market/alertRule.ts";
import { AlertFiles } from "../../src/storage/alertFiles.ts";
import { testAlert } from "../support/builders/testAlert.ts";
import { type AlertWindow, openAlertWindow } from "../support/desks/alertWindow.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { bundleScript } from "../support/processes/bundleScript.ts";
import { killAll, linesOf, runScript } from "../support/processes/children.ts";
import { safetyLine } from "./safetyLine.ts";

/** Longer than a window waits for another window that may still announce the alert. */
const LONG_MS = 10_000;

describe("a window that is killed (-9) while it announces an alert", () => {
  let folder: string;
  let script: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "killed-alerts-"));
    script = await bundleScript("test/support/processes/alertAndDie.ts", folder);
  });
  afterEach(async () => {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A folder with one alert on THB_BTC, which the price 111 reaches. */
  function armed(name: string): {
    readonly book: AlertFiles;
    readonly place: string;
    readonly announcements: string;
  } {
    const place = join(folder, name);
    const book = new AlertFiles(join(place, "alerts"));
    book.put(testAlert({ id: randomUUID() }));
    return { book, place, announcements: `${place}.announced` };
  }

  safetyLine(
    16,
    "An alert is announced at least once if a window dies at any step, and twice only if it dies between announcement and record",
    async (proof) => {
      const { place, announcements } = armed("whole");
      const whole = await runScript(script, place, announcements, String(Number.MAX_SAFE_INTEGER));
      const { steps } = JSON.parse(whole.stdout) as { steps: number };
      assert.ok(steps >= 8, whole.stdout);
      const died = new Set<number>();
      let [early, byAnother, twice] = [0, 0, 0];

      const rounds = await proof.each(2000, async ({ random, seed }) => {
        const machine = armed(`alerts-${seed}`);
        const timers = new FakeTimers(Date.now());
        let announced = 0;
        const open = (): Promise<AlertWindow> =>
          openAlertWindow(machine.place, timers, () => (announced += 1), { isInFront: random() < 0.5 });
        // The other windows are opened before or after the death.
        const others = Math.floor(random() * 3);
        const windows = await Promise.all(Array.from({ length: others }, open));
        const call = 1 + Math.floor(random() * steps);
        const { signal, stdout } = await runScript(
          script,
          machine.place,
          machine.announcements,
          String(call),
        );
        assert.equal(signal, "SIGKILL", stdout);
        const { before } = JSON.parse(stdout) as { before: string };
        died.add(call);

        const byTheDead = linesOf(machine.announcements).length;
        const [alert = assert.fail("the alert is gone")] = machine.book.list();
        const isFired = alert.fired !== undefined;
        const isRecorded = isDelivered(machine.place, alert);
        windows.push(await open());
        // Some windows read the alerts again. All see the price that reaches the alert or, once it fired, 100.
        const last = isFired && random() < 0.5 ? 100 : 111;
        for (const { alerts } of windows) if (random() < 0.5) alerts.reread();
        await timers.advance(random() < 0.5 ? 1 : LONG_MS);
        for (const { show } of windows) await show(last);
        await timers.advance(LONG_MS);
        for (const { close } of windows) close();

        const point = `killed before "${before}", ${others} others`;
        assert.equal(announced, isRecorded ? 0 : 1, `${point}: announced by the windows that stayed alive`);
        assert.ok(byTheDead + announced >= 1, `${point}: lost`);
        if (byTheDead + announced > 1) {
          assert.match(before, /^after announcement/, `${point}: announced twice`);
          twice += 1;
        }
        if (byTheDead === 0) byAnother += 1;
        if (!isFired) early += 1;
        rmSync(machine.place, { recursive: true });
      });
      return (
        `${rounds} windows killed at ${died.size} of ${steps} steps (${early} before the record): 0 alerts lost, ${byAnother} announced by ` +
        `another window, ${twice} announced twice, each by a window killed between its announcement and its record`
      );
    },
  );
});

/** Whether a window recorded that it announced an alert. */
function isDelivered(place: string, alert: Alert): boolean {
  const folder = join(place, "notifications");
  const file = `test-${alertFiring(alert)?.key}.`;
  const claims = namesIn(folder).filter((name) => name.startsWith(file) && !name.includes(".json"));
  return claims.some((name) => statSync(join(folder, name)).size > 0);
}
