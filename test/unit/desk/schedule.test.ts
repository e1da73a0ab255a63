import assert from "node:assert/strict";
import fc from "fast-check";
import { balanceIntervalMs, marketIntervalMs } from "../../../src/desk/schedule.ts";
import type { Need } from "../../../src/hub/messages.ts";
import { needOf } from "../../support/hubs.ts";

const need = fc.record({
  focused: fc.boolean(),
  active: fc.boolean(),
  visible: fc.boolean(),
  armed: fc.boolean(),
  intervalMs: fc.integer({ min: 1000, max: 3_600_000 }),
});

describe("the market's interval", () => {
  const looked = needOf({ focused: true, active: true, visible: true });
  for (const [what, needs, wanted] of [
    ["the setting where a person looks at prices", [looked], 5000],
    ["four times that where the window is not in front", [{ ...looked, focused: false }], 20_000],
    ["none where no prices are on screen", [{ ...looked, visible: false }], undefined],
    ["none where the person has left the window", [{ ...looked, active: false }], undefined],
    ["none of no window", [], undefined],
    ["the setting where an alert waits, seen or not", [needOf({ armed: true })], 5000],
    ["that of the window that wants it most", [{ ...looked, focused: false }, looked, needOf()], 5000],
    [
      "the shorter of two settings",
      [
        { ...looked, intervalMs: 2000 },
        { ...looked, intervalMs: 9000 },
      ],
      2000,
    ],
  ] satisfies [string, Need[], number | undefined][])
    it(`is ${what}`, () => assert.equal(marketIntervalMs(needs), wanted));

  it("never grows by another window, and is never below the shortest setting", () => {
    fc.assert(
      fc.property(fc.array(need), need, (needs, one) => {
        const [without, together] = [marketIntervalMs(needs), marketIntervalMs([...needs, one])];
        if (without !== undefined) assert.ok(together !== undefined && together <= without);
        if (together !== undefined)
          assert.ok(together >= Math.min(...[...needs, one].map(({ intervalMs }) => intervalMs)));
      }),
    );
  });
});

describe("the balance's interval", () => {
  it("is its own while a person is at work in any window, prices on screen or not; else none", () => {
    fc.assert(
      fc.property(fc.array(need), (needs) => {
        const atWork = needs.some(({ focused, active }) => focused && active);
        assert.equal(balanceIntervalMs(needs, 30_000), atWork ? 30_000 : undefined);
      }),
    );
  });
});
