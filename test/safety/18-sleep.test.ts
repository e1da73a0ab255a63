import { pick } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";
import { switchesOf } from "../world/plan.ts";
import { between, Worlds } from "./worlds.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe("a computer that sleeps", () => {
  safetyLine(
    18,
    "Sends no delayed bid late, marks prices as stale at once, and signs nothing before it measured the clock",
    async (proof) => {
      const worlds = new Worlds();
      const rounds = await proof.each(2_000, async ({ seed, random }) => {
        const long = between(random, 5 * 60 * SECOND, HOUR);
        await worlds.run({
          seed,
          windows: 2,
          minutes: 3,
          actions: { order: 8, editAlerts: 1, resetPractice: 0 },
          sleepsMs: [
            between(random, SECOND, 5 * SECOND),
            between(random, 30 * SECOND, 300 * SECOND),
            long,
            8 * HOUR,
            24 * HOUR,
          ].map(Math.round),
          switches: pick(random, [undefined, switchesOf(random)]),
          rates: {
            sleep: 1,
            sleepInOrder: 0.2,
            lostRequest: 0.05,
            lostAnswer: 0.05,
            unreachable: 0.05,
            lockedKeyring: 0.5,
            clockBack: 0.2,
            clockForward: 0.2,
          },
        });
      });
      return (
        `${rounds} worlds, ${worlds.count("sleep", "sleepInOrder")} sleeps of seconds to a day, ${worlds.count("sleepInOrder")} of them between ` +
        `the question and the answer of an order: ${worlds.count("bidSent", "askSent")} orders sent, 0 late or on old prices, ` +
        `${worlds.count("outcome invalid", "outcome notSent")} held back; ${worlds.count("aRequestWasSignedAfterASleep")} requests signed after ` +
        `waking, 0 by the clock from before; ${worlds.count("pricesWereStaleAfterASleep")} requests beside old prices, all marked as stale`
      );
    },
  );
});
