import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Fault } from "../../src/practice/http/faults.ts";
import { HELD_MS, ScheduledWorld, WitnessedExchange } from "../support/desks/scheduledWorld.ts";
import { safetyLine } from "./safetyLine.ts";

/** What keeps the answer to a bid from being known; "before" the exchange acted on it, or "after". */
const troubles: readonly Fault[] = [
  { kind: "delay", when: "before", ms: HELD_MS },
  { kind: "delay", when: "after", ms: HELD_MS },
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
  { kind: "html", when: "before", status: 502 },
  { kind: "html", when: "after", status: 504 },
  { kind: "html", when: "after", status: 200 },
  { kind: "html", when: "before", status: 520 },
  { kind: "cutJson" },
  { kind: "code", when: "before", code: 90 },
  { kind: "code", when: "after", code: 19 },
];
const trouble = fc.constantFrom(...troubles);
const refusal: Fault = { kind: "code", when: "before", code: 18 };

/** Few amounts, so that bids can be taken for one another. */
const amount = fc.constantFrom("10", "20", "30");

/** What the exchange can have seen by now: one request for each bid that a person confirmed, and not one more. */
interface Ledger {
  posts: number;
}

type Command = fc.AsyncCommand<Ledger, ScheduledWorld>;

/** Any step of a person, of time or of the network; after each the exchange is asked what it saw. */
abstract class Step implements Command {
  check(): boolean {
    return true;
  }

  async run(ledger: Ledger, world: ScheduledWorld): Promise<void> {
    await this.take(world);
    assert.ok(world.posts - ledger.posts <= world.confirmed, "a bid left that nobody confirmed, or twice");
  }

  protected abstract take(world: ScheduledWorld): Promise<unknown>;
}

class Submit extends Step {
  readonly amount: string;
  readonly fault: Fault | undefined;

  constructor(amount: string, fault: Fault | undefined) {
    super();
    this.amount = amount;
    this.fault = fault;
  }

  protected override async take(world: ScheduledWorld): Promise<void> {
    const outcome = await world.submit(this.amount, this.fault);
    if (outcome) assert.equal(outcome.kind, "busy");
  }

  override toString(): string {
    return `submit ${this.amount} (${JSON.stringify(this.fault)})`;
  }
}

class PassTime extends Step {
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }

  protected override take(world: ScheduledWorld): Promise<void> {
    return world.pass(this.ms, "awake");
  }

  override toString(): string {
    return `${this.ms} ms pass`;
  }
}

class Sleep extends PassTime {
  protected override take(world: ScheduledWorld): Promise<void> {
    return world.pass(this.ms, "asleep");
  }

  override toString(): string {
    return `${this.ms} ms asleep`;
  }
}

class FailReads extends Step {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super();
    this.faults = faults;
  }

  protected override async take(world: ScheduledWorld): Promise<void> {
    world.readFaults.push(...this.faults);
  }

  override toString(): string {
    return `reads fail ${JSON.stringify(this.faults)}`;
  }
}

class SwitchWindow extends Step {
  protected override take(world: ScheduledWorld): Promise<void> {
    return world.switchWindow();
  }

  override toString(): string {
    return "switch windows";
  }
}

class Reload extends Step {
  protected override take(world: ScheduledWorld): Promise<void> {
    return world.reload();
  }

  override toString(): string {
    return "reload";
  }
}

const submit = fc
  .tuple(amount, fc.oneof({ weight: 4, arbitrary: trouble }, fc.constantFrom(undefined, refusal)))
  .map(([spent, fault]) => new Submit(spent, fault));
const steps: fc.Arbitrary<Command>[] = [
  submit,
  submit,
  fc.oneof(fc.nat(4_000), fc.nat(4_000), fc.nat(60_000)).map((ms) => new PassTime(ms)),
  fc.oneof(fc.nat(4_000), fc.nat(900_000)).map((ms) => new Sleep(ms)),
  fc.array(trouble, { minLength: 1, maxLength: 2 }).map((faults) => new FailReads(faults)),
  fc.constant(new SwitchWindow()),
  fc.constant(new Reload()),
];

/** Worlds that one exchange serves before a new one is opened: its books stay short. */
const WORLDS_AN_EXCHANGE = 200;

describe("a bid whose answer never came", () => {
  let directory: string;
  let exchange: WitnessedExchange | undefined;
  let worlds = 0;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "unanswered-"));
  });
  afterEach(async () => {
    await exchange?.practice.close();
    exchange = undefined;
    rmSync(directory, { recursive: true, force: true });
  });

  async function witness(): Promise<WitnessedExchange> {
    if (worlds++ % WORLDS_AN_EXCHANGE === 0) {
      await exchange?.practice.close();
      exchange = undefined;
    }
    return (exchange ??= await WitnessedExchange.start());
  }

  safetyLine(
    1,
    "May have been placed: it is unknown, left the machine once, and is never sent again",
    async (proof) => {
      const counts = {
        confirmed: 0,
        posts: 0,
        unknown: 0,
        held: 0,
        stopped: 0,
        accepted: 0,
        unresolved: 0,
        arrived: 0,
      };
      const schedules = await proof.property(
        10_000,
        fc.asyncProperty(
          fc.scheduler(),
          submit,
          fc.commands(steps, { maxCommands: 7 }),
          fc.boolean(),
          async (scheduler, first, commands, isLeaderKeyless) => {
            const seen = await witness();
            const own = join(directory, String(worlds));
            const world = new ScheduledWorld(seen, scheduler, own, isLeaderKeyless);
            const ledger: Ledger = { posts: world.posts };
            try {
              await world.open();
              await first.run(ledger, world);
              await fc.scheduledModelRun(scheduler, () => ({ model: ledger, real: world }), commands);
              await world.comeToRest();
              const journal = new Map((await world.journal()).map((bid) => [Number(bid.intent.rate), bid]));
              let left = 0;
              for (const { rate, fault, outcome } of world.bids) {
                const inBooks = seen.accepted(rate);
                const state = journal.get(Number(rate))?.state;
                assert.ok(inBooks <= 1);
                assert.ok(outcome);
                if (outcome.kind === "invalid") {
                  counts.stopped += 1;
                  const codes = outcome.problems.map(({ code }) => code);
                  assert.deepEqual([inBooks, state, codes], [0, undefined, ["priceTooOld"]]);
                  continue;
                }
                if (outcome.kind === "notSent") {
                  counts.held += 1;
                  assert.deepEqual([inBooks, state], [0, "notSent"]);
                  continue;
                }
                left += 1;
                const expected: string =
                  fault === undefined ? "accepted" : fault === refusal ? "rejected" : "unknown";
                assert.equal(outcome.kind, expected);
                if (expected !== "unknown") {
                  assert.deepEqual([inBooks, state], [expected === "accepted" ? 1 : 0, expected]);
                  continue;
                }
                counts.unknown += 1;
                assert.ok(state === "accepted" || state === "unresolved", state);
                counts[state] += 1;
                counts.arrived += inBooks;
                if (state === "accepted") assert.equal(inBooks, 1, "called accepted, and is in no book");
              }
              assert.equal(world.posts - ledger.posts, left);
              counts.posts += left;
              counts.confirmed += world.confirmed;
            } finally {
              world.close();
              rmSync(own, { recursive: true, force: true });
            }
          },
        ),
      );
      assert.equal(counts.posts + counts.held + counts.stopped, counts.confirmed);
      return (
        `${schedules} fault schedules: ${counts.confirmed} bids confirmed, ${counts.posts} POSTs, 1 each, 0 again ` +
        `(${counts.held} held up and not sent, ${counts.stopped} stopped by old prices); ${counts.unknown} without a known answer, all unknown, of which ` +
        `${counts.arrived} had arrived: then ${counts.accepted} found accepted, 0 of them wrongly, ${counts.unresolved} left to the person`
      );
    },
  );
});
