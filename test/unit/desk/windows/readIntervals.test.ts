import assert from "node:assert/strict";
import fc from "fast-check";
import { balanceIntervalMs, marketIntervalMs } from "../../../../src/desk/windows/readIntervals.ts";
import type { WindowDemand } from "../../../../src/hub/protocol.ts";
import { demandOf } from "../../../support/desks/hubs.ts";

const demand = fc.record({
  focused: fc.boolean(),
  active: fc.boolean(),
  visible: fc.boolean(),
  armed: fc.boolean(),
  intervalMs: fc.integer({ min: 1000, max: 3_600_000 }),
});

describe("the market's interval", () => {
  const watching = demandOf({ focused: true, active: true, visible: true });
  for (const [what, demands, wanted] of [
    ["the setting if prices are visible to an active user", [watching], 5000],
    ["four times the setting if the window is in the background", [{ ...watching, focused: false }], 20_000],
    [
      "four times the setting if the user is away, because they may still watch",
      [{ ...watching, active: false }],
      20_000,
    ],
    ["none if no prices are on screen", [{ ...watching, visible: false }], undefined],
    ["none without a window", [], undefined],
    ["the setting if an alert is on, with and without prices on screen", [demandOf({ armed: true })], 5000],
    [
      "at most five seconds while an order is placed, also in the background",
      [demandOf({ ordering: true, intervalMs: 60_000 })],
      5000,
    ],
    [
      "the setting while an order is placed, if that is shorter",
      [demandOf({ ordering: true, intervalMs: 2000 })],
      2000,
    ],
    [
      "the interval of the most demanding window",
      [{ ...watching, focused: false }, watching, demandOf()],
      5000,
    ],
    [
      "the shorter of two settings",
      [
        { ...watching, intervalMs: 2000 },
        { ...watching, intervalMs: 9000 },
      ],
      2000,
    ],
  ] satisfies [string, WindowDemand[], number | undefined][])
    it(`is ${what}`, () => assert.equal(marketIntervalMs(demands), wanted));

  it("is never longer because of another window, and never below the shortest setting", () => {
    fc.assert(
      fc.property(fc.array(demand), demand, (demands, one) => {
        const [without, together] = [marketIntervalMs(demands), marketIntervalMs([...demands, one])];
        if (without !== undefined) assert.ok(together !== undefined && together <= without);
        if (together !== undefined)
          assert.ok(together >= Math.min(...[...demands, one].map(({ intervalMs }) => intervalMs)));
      }),
    );
  });
});

describe("the balance's interval", () => {
  const atWork = demandOf({ focused: true, active: true });
  for (const [what, demands, wanted] of [
    ["its own if a person is at work, with and without prices on screen", [atWork], 30_000],
    [
      "four times its own if Bidside is on screen and the user is away",
      [{ ...atWork, active: false, visible: true }],
      120_000,
    ],
    [
      "four times its own if Bidside is on screen in a window in the background",
      [demandOf({ visible: true })],
      120_000,
    ],
    [
      "none if Bidside is not on screen and the user is away",
      [demandOf(), demandOf({ armed: true })],
      undefined,
    ],
    ["the interval of the most demanding window", [demandOf({ visible: true }), atWork], 30_000],
  ] satisfies [string, WindowDemand[], number | undefined][])
    it(`is ${what}`, () => assert.equal(balanceIntervalMs(demands, 30_000), wanted));
});
