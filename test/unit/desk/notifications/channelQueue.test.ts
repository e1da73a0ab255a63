import assert from "node:assert/strict";
import type { Channel, SendOutcome } from "../../../../src/desk/notifications/channel.ts";
import { alertFiring, type Firing } from "../../../../src/desk/notifications/firing.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { NotifiedWindows } from "../../../support/desks/notifiedWindows.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

describe("a channel with a limit", () => {
  let windows: NotifiedWindows;
  /** Seconds since the start and number of the firing, of each attempt. */
  let attempts: [seconds: number, number: number][];
  let start: number;
  let isOn: boolean;
  beforeEach(() => {
    windows = new NotifiedWindows();
    start = windows.timers.now();
    attempts = [];
    isOn = true;
  });

  function channel(answer: (number: number) => SendOutcome | Promise<SendOutcome>): Channel {
    return {
      id: "phone",
      isOn: () => isOn,
      limit: { everyMs: 5 * SECOND_MS, perDay: 100, attemptMs: 15 * SECOND_MS },
      send: async ({ at }) => {
        const number = at - start;
        attempts.push([Math.floor((windows.timers.now() - start) / SECOND_MS), number]);
        return await answer(number);
      },
    };
  }

  const sent: SendOutcome = { kind: "sent" };
  const failed = (kind: "retry" | "refused"): SendOutcome => ({
    kind,
    problem: { kind: "status", status: 503 },
  });
  const open = (answer: Parameters<typeof channel>[0] = () => sent) =>
    windows.open(() => [channel(answer)]).notifications;
  const numbers = (): number[] => attempts.map(([, number]) => number);

  /** The n-th firing, n ms after the start. */
  function firing(number: number): Firing {
    const at = start + number;
    const fired = { armedAt: number, at, price: 111, isSeen: false };
    return alertFiring(testAlert({ phase: "fired", fired })) ?? assert.fail();
  }

  it("sends a test within the limit too: 5 s after a message, which waits 5 s after a test, and not the 101st of a day", async () => {
    const notifications = open();
    let tests = 0;
    const test = (): Promise<SendOutcome> => {
      const count = (tests += 1);
      return notifications.sendTest("phone", () => channel(() => sent).send(firing(-count), 1));
    };
    notifications.notify(firing(1));
    await windows.timers.advance(1);
    const first = test();
    await windows.timers.advance(5 * SECOND_MS);
    assert.deepEqual(await first, sent);
    notifications.notify(firing(2));
    await windows.timers.advance(10 * SECOND_MS);
    assert.deepEqual(numbers(), [1, -1, 2]);
    const seconds = attempts.map(([each]) => each);
    assert.ok(seconds.every((each, index) => each >= index * 5));
    for (let count = 3; count < 100; count += 1) {
      await windows.timers.advance(6 * SECOND_MS);
      assert.deepEqual(await test(), sent);
    }
    await windows.timers.advance(6 * SECOND_MS);
    assert.deepEqual(await test(), { kind: "refused", problem: { kind: "overLimit" } });
    assert.equal(attempts.length, 100);
  });

  it("gets firings in their order, at most one in 5 s from all windows", async () => {
    const [one, other] = [open(), open()];
    one.notify(firing(1));
    for (const number of [4, 3]) other.notify(firing(number));
    one.notify(firing(2));
    await windows.timers.advance(MINUTE_MS);
    const seconds = attempts.map(([each]) => each);
    assert.deepEqual(numbers().sort(), [1, 2, 3, 4]);
    for (const [index, each] of seconds.slice(1).entries())
      assert.ok(each - (seconds[index] ?? 0) >= 5, String(seconds));
  });

  it("gets at most 100 messages a day, and the problem is known until there is room again", async () => {
    const phone = open();
    for (let number = 1; number <= 103; number += 1) phone.notify(firing(number));
    await windows.timers.advance(HOUR_MS);
    assert.deepEqual(
      numbers(),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    assert.deepEqual(phone.problems.get("phone"), { kind: "overLimit" });
    await windows.timers.advance(24 * HOUR_MS);
    const next = windows.timers.now() - start;
    phone.notify(firing(next));
    await windows.timers.advance(MINUTE_MS);
    assert.deepEqual([numbers().slice(100), phone.problems.size], [[next], 0]);
  });

  it("is asked less and less often while it fails, for the first firing only, and then gets all", async () => {
    let isDown = true;
    const phone = open(() => (isDown ? failed("retry") : sent));
    for (const number of [1, 2]) phone.notify(firing(number));
    await windows.timers.advance(2 * MINUTE_MS);
    assert.deepEqual(
      attempts,
      [0, 5, 15, 35, 75].map((seconds) => [seconds, 1]),
    );
    assert.deepEqual(phone.problems.get("phone"), { kind: "status", status: 503 });
    isDown = false;
    await windows.timers.advance(2 * MINUTE_MS);
    assert.deepEqual(
      [attempts.slice(5), phone.problems.size],
      [
        [
          [155, 1],
          [160, 2],
        ],
        0,
      ],
    );
  });

  it("goes on where a closed window ended, without asking more often", async () => {
    const first = windows.open(() => [channel(() => failed("retry"))]);
    first.notifications.notify(firing(1));
    await windows.timers.advance(36 * SECOND_MS);
    first.kill();
    open();
    await windows.timers.advance(MINUTE_MS);
    assert.deepEqual(
      attempts,
      [0, 5, 15, 35, 75].map((seconds) => [seconds, 1]),
    );
  });

  it("is not asked again for a firing that it refused", async () => {
    const phone = open((number) => (number === 1 ? failed("refused") : sent));
    for (const number of [1, 2]) phone.notify(firing(number));
    await windows.timers.advance(HOUR_MS);
    assert.deepEqual(numbers(), [1, 2]);
  });

  it("never gets a firing of the time while it was off", async () => {
    const phone = open(() => failed("retry"));
    phone.notify(firing(1));
    await windows.timers.advance(SECOND_MS);
    isOn = false;
    phone.notify(firing(2));
    await windows.timers.advance(HOUR_MS);
    isOn = true;
    const later = open();
    for (const number of [1, 2, 3]) later.notify(firing(number));
    await windows.timers.advance(HOUR_MS);
    assert.deepEqual(numbers(), [1, 3]);
  });

  it("gets no firing of more than a day ago", async () => {
    const phone = open(() => failed("retry"));
    phone.notify(firing(1));
    await windows.timers.advance(48 * HOUR_MS);
    const last = attempts.at(-1)?.[0] ?? 0;
    assert.ok(attempts.length < 40 && last > 23 * 3600 && last <= 24 * 3600, `${attempts.length}, ${last}`);
    assert.deepEqual(
      windows.disk.list("/storage/notifications").filter((name) => name.endsWith("json")),
      ["problem-phone.json"],
    );
  });

  it("gets a firing from another window if the window that knew of it was killed before or while it was sending", async () => {
    const answers = [new Promise<never>(() => undefined)];
    const first = windows.open(() => [channel(() => answers[0] ?? sent)]);
    first.notifications.notify(firing(1));
    first.notifications.notify(firing(2));
    await windows.timers.advance(SECOND_MS);
    assert.deepEqual(numbers(), [1]);
    first.kill();
    open();
    await windows.timers.advance(5 * MINUTE_MS);
    assert.deepEqual(numbers(), [1, 1, 2]);
  });

  it("gets firings that several closed windows left in their order", async () => {
    for (const number of [3, 10, 2]) {
      // In the background, it waits.
      const window = windows.open(() => [channel(() => sent)], undefined, false);
      window.notifications.notify(firing(number));
      window.kill();
    }
    open();
    await windows.timers.advance(5 * MINUTE_MS);
    assert.deepEqual(numbers(), [2, 3, 10]);
  });

  it("gets a firing at least once if its window dies at any step, and twice only if it died between delivery and mark", async () => {
    const steps = async (
      diesBefore: number,
    ): Promise<{ readonly count: number; readonly sent: number[]; readonly name: string }> => {
      windows = new NotifiedWindows();
      start = windows.timers.now();
      attempts = [];
      let [count, name] = [0, ""];
      const window = windows.open(() => [channel(() => sent)]);
      windows.beforeCall = (call, kill) => {
        count += 1;
        if (count !== diesBefore) return;
        name = `${count} ${call}`;
        kill();
      };
      window.notifications.notify(firing(1));
      await windows.timers.advance(SECOND_MS);
      const byTheFirst = attempts.length;
      windows.beforeCall = () => undefined;
      const isStored = windows.disk
        .list("/storage/notifications")
        .some((each) => /^phone-.*\.json$/.test(each));
      const next = open();
      // The next window reads the alert's record, which precedes the firing, unless the user has seen the alert meanwhile.
      if (!isStored && byTheFirst === 0) next.notify(firing(1));
      await windows.timers.advance(5 * MINUTE_MS);
      window.kill();
      return { count, name, sent: [byTheFirst, attempts.length - byTheFirst] };
    };
    const { count: total, sent: whole } = await steps(0);
    assert.deepEqual(whole, [1, 0]);
    assert.ok(total >= 8, String(total));
    const twice: string[] = [];
    for (let step = 1; step <= total; step += 1) {
      const { name, sent: counts } = await steps(step);
      const [byTheFirst = 0, byTheNext = 0] = counts;
      assert.ok(byTheFirst + byTheNext >= 1, `lost: ${name}`);
      if (byTheFirst + byTheNext > 1) twice.push(name);
    }
    assert.equal(twice.length, 1, `only before the mark: ${twice.join()}`);
  });
});
