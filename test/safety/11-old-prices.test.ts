import assert from "node:assert/strict";
import { codesOf, type GuardedDesk, openGuardedDesk } from "../support/desks/guardedDesk.ts";
import { safetyLine } from "./safetyLine.ts";

const LIMIT_MS = 10_000;
/** An older price is read again before the order is checked. */
const FRESH_MS = 5000;

describe("a price that is too old or missing", () => {
  let guarded: GuardedDesk;
  beforeEach(async () => {
    guarded = await openGuardedDesk();
  });
  afterEach(() => guarded.close());

  safetyLine(
    11,
    "Stops a bid before the question or after a long open question, and shows the reason",
    async (proof) => {
      const counts = { before: 0, after: 0, sent: 0 };
      const bids = await proof.each(2000, async ({ random }) => {
        const { now } = guarded;
        const ages = [0, LIMIT_MS, LIMIT_MS + 1, -1, undefined, Math.floor(random() * 60_000)];
        const pick = (): number | undefined => ages[Math.floor(random() * ages.length)];
        const lasts = [100, 100, 100, 0, Number.NaN];
        const look = ({ ageMs, isStale, ticker } = now): string | undefined => {
          if (ageMs === undefined || !(Number(ticker.last) > 0)) return "pair noPrice";
          return isStale || ageMs < 0 || ageMs > LIMIT_MS ? "pair priceTooOld" : undefined;
        };
        const happen = (): void => {
          now.ageMs = pick();
          now.isStale = random() < 0.1;
          now.isReadable = random() < 0.5;
          now.ticker = { last: lasts[Math.floor(random() * lasts.length)] ?? 100 };
        };
        happen();
        const isReadAgain = !((now.ageMs ?? Number.POSITIVE_INFINITY) <= FRESH_MS);
        const again = now.isReadable ? { ageMs: 0, isStale: false } : { isStale: true };
        const first = look(isReadAgain ? { ...now, ...again } : now);
        let second: string | undefined;
        guarded.answer = () => {
          if (random() < 0.5) happen();
          second = look();
          return true;
        };
        const before = guarded.posts.length;
        const outcome = await guarded.place("1000", "100");
        const posts = guarded.posts.length - before;
        if (first !== undefined) {
          counts.before += 1;
          assert.deepEqual([codesOf(outcome), posts, guarded.asked], [[first], 0, []]);
        } else if (second !== undefined) {
          counts.after += 1;
          assert.deepEqual([codesOf(outcome), posts], [[second], 0]);
        } else {
          counts.sent += 1;
          assert.deepEqual([outcome.kind, posts], ["accepted", 1]);
        }
      });
      if (bids >= 200)
        assert.ok(
          Object.values(counts).every((count) => count > 5),
          JSON.stringify(counts),
        );
      return (
        `${bids} bids on prices of every age: ${counts.before} stopped before the question, ` +
        `${counts.after} after it, 0 of those sent; ${counts.sent} on a fresh price sent`
      );
    },
  );
});
