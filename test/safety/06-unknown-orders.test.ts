import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { NoResponseError } from "../../src/exchange/errors.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { LimitOrder } from "../../src/market/order.ts";
import type { Desk } from "../../src/desk/desk.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import { testBid, testCredentials } from "../support/builders/client.ts";
import { unattended } from "../support/desks/testDesk.ts";
import { openDesk } from "../support/desks/windows.ts";
import { bringToFront, windowsInMemory } from "../support/desks/windowsInMemory.ts";
import { FakeTimers, settle } from "../support/fakes/timers.ts";
import { FakeClient, walletOf } from "../support/fakes/venue.ts";
import { safetyLine } from "./safetyLine.ts";
import { unsyncedComputer } from "../support/fakes/computer.ts";

const lost = new NoResponseError("placeBid", "timeout", "10 s");

/** Few amounts, so that two bids often have the same amount, or one bid the sum of others. */
const amount = fc.constantFrom(10, 20, 30, 50, 1000);
const quote = fc.constantFrom("THB", "USD");
const second = fc.integer({ min: 0, max: 140 });
const perhaps = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined });

const worlds = fc.record({
  bids: fc.array(
    fc.record({
      quote,
      amount,
      at: second,
      /** Age in s of the balance that the bid is compared with; undefined: no balance was known. */
      balanceAge: perhaps(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 600 }))),
      /** When the exchange took the amount, in seconds after the bid was sent; undefined: never. */
      effectAfter: perhaps(fc.oneof(second, second, fc.integer({ min: 0, max: 3600 }))),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  accepted: fc.array(fc.record({ quote, amount, at: second }), { maxLength: 2 }),
  /** Deposits are negative, withdrawals positive. */
  foreign: fc.array(
    fc.record({
      quote,
      at: second,
      amount: fc.oneof(
        amount,
        amount.map((value) => -value),
      ),
    }),
    { maxLength: 3 },
  ),
  /** Whether each poll of the first 300 s fails, in order. */
  failing: fc.oneof(fc.constant([false]), fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })),
  sleep: perhaps(fc.record({ at: second, seconds: fc.integer({ min: 1, max: 30_000 }) })),
  /** A window is closed and opened again. */
  restart: perhaps(second),
  /** A third window leads and has no key, so the window in front checks the bids; else the oldest window does. */
  isLeaderKeyless: fc.boolean(),
  /** Another window comes to the front. */
  switches: fc.array(second, { maxLength: 3 }),
  /** The user asks for a check of every bid. */
  ask: perhaps(second),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** The real changes of the account: whole numbers, at true times in ms. */
interface Entry {
  readonly quote: string;
  readonly amount: number;
  readonly at: number;
}

function bidOf(quote: string, amount: number): LimitOrder {
  return { ...testBid(String(amount), "1", `${quote}_BTC`), pair: { quote, base: "BTC" } };
}

/** Runs a world and 300 s more: by then the network works again and every bid has had its last check. */
async function live(world: World, directory: string) {
  const timers = new FakeTimers();
  const began = timers.now();
  const ledger: Entry[] = world.foreign.map((each) => ({ ...each, at: began + each.at * 1000 }));
  const available = (asset: string, at: number): string =>
    ledger
      .filter((each) => each.quote === asset && each.at <= at)
      .reduce((sum, each) => sum - each.amount, 100_000)
      .toString();

  const client = new FakeClient();
  let polls = 0;
  let isBackForGood = false;
  client.walletAnswer = async () => {
    polls += 1;
    if (!isBackForGood && world.failing[polls % world.failing.length]) throw lost;
    return walletOf({ THB: available("THB", timers.now()), USD: available("USD", timers.now()) });
  };
  let randomState = world.seed;
  const random = (): number => (randomState = (randomState * 48_271) % 2_147_483_647) / 2_147_483_647;
  const options = {
    client,
    timers,
    random,
    computer: unsyncedComputer,
    isVisible: false,
    window: unattended,
    openWindows: windowsInMemory(),
  };
  const keyless = world.isLeaderKeyless ? [openDesk(directory, options)] : [];
  const open = (): Desk => openDesk(directory, { ...options, credentials: testCredentials });
  const windows = [open(), open()];
  let front = 0;
  const toFront = async (index: number): Promise<void> => {
    bringToFront(windows, (front = index), false);
    await settle();
  };
  await toFront(0);
  const venueNow = windows[0]?.venue.venue ?? assert.fail();

  /** By id of its intent, when the exchange took an unanswered bid; undefined: never. */
  const arrivals = new Map<string, number | undefined>();
  const steps: { at: number; run: () => Promise<void> }[] = [];
  for (const { quote: asset, amount: spent, at, balanceAge, effectAfter } of world.bids) {
    steps.push({
      at,
      run: async () => {
        const { orders } = windows[front] ?? assert.fail();
        const bid = bidOf(asset, spent);
        const now = timers.now();
        const before =
          balanceAge === undefined ? undefined : new Decimal(available(asset, now - balanceAge * 1000));
        const id = await orders.recordIntent(bid, venueNow, before);
        const arrival = effectAfter === undefined ? undefined : now + effectAfter * 1000;
        if (arrival !== undefined) ledger.push({ quote: asset, amount: spent, at: arrival });
        arrivals.set(id, arrival);
        await orders.recordOutcome(id, { kind: "unknown", venue: venueNow, order: bid, error: lost });
      },
    });
  }
  for (const { quote: asset, amount: spent, at } of world.accepted) {
    steps.push({
      at,
      run: async () => {
        const { orders } = windows[front] ?? assert.fail();
        const bid = bidOf(asset, spent);
        const id = await orders.recordIntent(bid, venueNow, undefined);
        ledger.push({ quote: asset, amount: spent, at: timers.now() });
        await orders.recordOutcome(id, {
          kind: "accepted",
          venue: venueNow,
          order: bid,
          receipt: { orderId: "1" },
        });
      },
    });
  }
  for (const at of world.switches) steps.push({ at, run: () => toFront(1 - front) });
  const { sleep, restart, ask } = world;
  if (sleep) steps.push({ at: sleep.at, run: async () => timers.sleep(sleep.seconds * 1000) });
  if (restart !== undefined) {
    steps.push({
      at: restart,
      run: async () => {
        windows[front]?.dispose();
        windows[front] = open();
        await toFront(front);
      },
    });
  }
  if (ask !== undefined) {
    steps.push({
      at: ask,
      run: async () => {
        const desk = windows[front] ?? assert.fail();
        const unknownOrders = desk.unknownOrders;
        for (const each of desk.orders.own.filter(({ state }) => state === "unknown"))
          await unknownOrders.check(each).catch((error: unknown) => assert.equal(error, lost));
      },
    });
  }
  let now = 0;
  for (const { at, run } of steps.sort((a, b) => a.at - b.at)) {
    await timers.advance((at - now) * 1000);
    now = at;
    await run();
  }
  await timers.advance((300 - now) * 1000);
  isBackForGood = true;
  await timers.advance(61_000);
  await settle();
  await windows[front]?.orders.reread();
  const bids = [...(windows[front]?.orders.own ?? [])];
  for (const each of [...keyless, ...windows]) each.dispose();
  return { bids, arrivals, polls, posts: client.calls.placeOrder };
}

/** The balance that proved the bid placed. */
function seenBy({ evidence }: OwnOrder): number {
  const check = evidence.find((event) => event.kind === "check" && event.verdict === "placed");
  return check?.kind === "check" ? Number(check.available) : assert.fail("no such check is on record");
}

/** Every sum of some of the amounts, of none and of all of them. */
function sumsOf(amounts: readonly number[]): Set<number> {
  return new Set(amounts.reduce((sums, each) => [...sums, ...sums.map((sum) => sum + each)], [0]));
}

describe("bids without an answer, in any world", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "worlds-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  let world = 0;
  async function lived(given: World): Promise<Awaited<ReturnType<typeof live>>> {
    const own = join(directory, String((world += 1)));
    try {
      return await live(given, own);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }

  safetyLine(
    6,
    "Only a balance that fell by its amount proves a bid placed; other bids are left to the user",
    async (proof) => {
      const counts = { placed: 0, arrived: 0, lookalike: 0, unresolved: 0, unseen: 0, mostPolls: 0 };
      const rounds = await proof.property(
        5_000,
        fc.asyncProperty(worlds, async (given) => {
          const { bids, arrivals, polls, posts } = await lived(given);
          assert.equal(posts, 0, "reconciling sends nothing");
          assert.equal(bids.length, arrivals.size + given.accepted.length);
          counts.mostPolls = Math.max(counts.mostPolls, polls);
          for (const bid of bids) {
            const { intent, state, since } = bid;
            if (!arrivals.has(intent.id)) {
              assert.equal(state, "accepted");
              continue;
            }
            const arrival = arrivals.get(intent.id);
            assert.ok(bid.evidence.some((event) => event.kind === "check" && event.available !== undefined));
            if (state === "unresolved") {
              counts.unresolved += 1;
              if (arrival !== undefined && arrival <= since) counts.unseen += 1;
              continue;
            }
            assert.equal(state, "accepted");
            counts.placed += 1;
            if (arrival !== undefined && arrival <= since) {
              counts.arrived += 1;
              continue;
            }
            // The bid never arrived but is called placed: a foreign change had exactly its amount.
            counts.lookalike += 1;
            assert.ok(given.foreign.some((each) => each.quote === intent.quote));
            const fell = Number(intent.availableBefore) - seenBy(bid);
            const others = sumsOf(
              bids
                .filter((other) => other !== bid && other.intent.quote === intent.quote)
                .filter((other) => other.intent.at <= since)
                .map((other) => Number(other.intent.amount)),
            );
            assert.ok(!others.has(fell) && others.has(fell - Number(intent.amount)));
          }
        }),
      );
      if (rounds >= 100)
        assert.ok(counts.placed > rounds / 4 && counts.unresolved > rounds / 4, JSON.stringify(counts));
      return (
        `${rounds} worlds, ${counts.placed + counts.unresolved} unanswered bids: ${counts.placed} placed ` +
        `(${counts.arrived} had arrived, ${counts.lookalike} by a foreign change of exactly the amount), ` +
        `${counts.unresolved} unresolved (${counts.unseen} had arrived), 0 called not placed, 0 sent; ` +
        `at most ${counts.mostPolls} polls in a world`
      );
    },
  );

  safetyLine(
    6,
    "If nothing else changes the balance, exactly the bids that arrived in time are found",
    async (proof) => {
      const found = { accepted: 0, unresolved: 0 };
      const rounds = await proof.property(
        1_000,
        fc.asyncProperty(
          worlds,
          amount,
          second,
          perhaps(fc.integer({ min: 0, max: 100 })),
          async (given, spent, at, effectAfter) => {
            const { bids } = await lived({
              ...given,
              bids: [{ quote: "THB", amount: spent, at, effectAfter, balanceAge: 0 }],
              accepted: [],
              foreign: [],
              ask: undefined,
            });
            const state = bids[0]?.state;
            assert.equal(state, effectAfter === undefined ? "unresolved" : "accepted");
            found[state as "accepted" | "unresolved"] += 1;
          },
        ),
      );
      return `${rounds} worlds, some with sleeps, restarts and failing networks: ${found.accepted} accepted, ${found.unresolved} unresolved, 0 wrong`;
    },
  );
});
