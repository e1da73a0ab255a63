import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOnChange } from "../../src/desk/reportOnChange.ts";
import { createClient } from "../../src/exchange/client.ts";
import { TransportError } from "../../src/http/errors.ts";
import { type ProxiedPractice, startProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { drivenTime } from "../support/desks/drivenNetwork.ts";
import {
  bid,
  close,
  liveAt,
  openTestDesk,
  readAll,
  type TestDeskOptions,
  testSettings,
} from "../support/desks/testDesk.ts";
import { pick } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";
import { unsyncedSystem } from "../support/fakes/operatingSystem.ts";

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const LONGEST_PAUSE_MS = 60 * SECOND;
const RECOVERED_WITHIN_MS = 65 * SECOND;
const CONNECT_LIMIT_MS = 10 * SECOND;

/** How a network fails: it refuses at once, or loses packets until the client's time limit. */
type Outage = "refusing" | "swallowing";

/** A window that a person watches all day, with a practice exchange over real sockets. Only time is simulated. */
async function openWatched(
  exchange: ProxiedPractice,
  given: { readonly world: ReturnType<typeof drivenTime>; readonly outage: Outage } & Pick<
    TestDeskOptions,
    "storage" | "random"
  >,
) {
  const { world, outage, ...ports } = given;
  const { timers, network } = world;
  const { now, after } = timers;
  /** From the end of one attempt to the next, in ms: for prices, and for requests that need a key. */
  const pauses = { prices: [] as number[], account: [] as number[] };
  const failedAt = new Map<keyof typeof pauses, number>();
  network.whenDown = async ({ label }) => {
    const purpose = label === "tickers" ? "prices" : "account";
    const before = failedAt.get(purpose);
    if (before !== undefined && now() > before) pauses[purpose].push(now() - before);
    if (outage === "swallowing") await new Promise<void>((resolve) => after(CONNECT_LIMIT_MS, resolve));
    failedAt.set(purpose, now());
    throw new TransportError(label, { kind: "notSent", reason: "unreachable" }, outage);
  };
  const desk = await openTestDesk({
    ...liveAt(exchange.baseUrl),
    ...ports,
    timers,
    os: unsyncedSystem,
    settings: { ...testSettings, refreshInterval: () => 30 * SECOND },
    createClient: (options) => createClient({ ...options, ...network.client }),
  });
  const { tickers, balances } = desk;
  tickers.demand.add();
  /** Notices to the user, as event and in the log: prices or balance are stale, or fresh again. */
  const notices: string[] = [];
  balances.onDidChange(({ problem }) => problem !== undefined && notices.push("balance: true"));
  const log = reportOnChange((problem) => notices.push(`log: ${problem !== undefined}`));
  tickers.onDidChange(({ state: { problem }, change }) => {
    if (change?.staleChanged) notices.push(`prices: ${tickers.isStale}`);
    log(problem);
  });
  return { desk, notices, pauses };
}

describe("a day without a network", () => {
  let exchange: ProxiedPractice;
  let world: ReturnType<typeof drivenTime>;
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "offline-"));
    world = drivenTime();
    exchange = await startProxiedPractice({ credentials: testPair, now: () => world.timers.now() });
  });
  afterEach(async () => {
    await exchange.close();
    rmSync(directory, { recursive: true, force: true });
  });

  safetyLine(
    26,
    "Backs off with jitter up to a minute, shows one notice, ends within 65 s, and loses no bid",
    async (proof) => {
      const counts = { requests: 0, longestPause: 0, slowest: 0, bidsKept: 0 };
      const days = await proof.each(10, async ({ seed, random }) => {
        const own = join(directory, String(seed));
        world = drivenTime();
        const { timers, network } = world;
        const outage = pick<Outage>(random, ["refusing", "swallowing"]);
        const { desk, notices, pauses } = await openWatched(exchange, {
          world,
          outage,
          storage: own,
          random,
        });
        try {
          await readAll(desk);
          await timers.advance(SECOND);
          assert.equal((await bid(desk, "20")).kind, "accepted");
          const hasArrived = random() < 0.5;
          exchange.faults.next("placeBid", { kind: "reset", when: hasArrived ? "after" : "before" });
          assert.equal((await bid(desk, "30")).kind, "unknown");
          const posts = exchange.requests.placeBid;
          const ids = desk.orders.own.map(({ intent }) => intent.id).sort();
          notices.length = 0;
          network.attempts.length = 0;

          network.isUp = false;
          await timers.advance(DAY + Math.floor(random() * LONGEST_PAUSE_MS));
          assert.deepEqual([...notices].sort(), ["balance: true", "log: true", "prices: true"]);
          const all = Object.values(pauses).flat();
          counts.requests += network.attempts.length;
          counts.longestPause = Math.max(counts.longestPause, ...all);
          assert.ok(counts.longestPause <= LONGEST_PAUSE_MS);
          assert.ok(new Set(all).size > 500, "pauses are jittered");
          assert.deepEqual(
            desk.orders.own.map(({ state }) => state),
            ["unknown", "accepted"],
          );
          const hopeless = bid(desk, "40");
          await timers.advance(3 * CONNECT_LIMIT_MS);
          assert.equal((await hopeless).kind, "invalid", "no bid uses yesterday's price");

          notices.length = 0;
          network.isUp = true;
          const backAt = timers.now();
          let [fresh, known, settled] = [0, 0, 0];
          for (let ms = SECOND; ms <= RECOVERED_WITHIN_MS; ms += SECOND) {
            await timers.advance(SECOND);
            const { tickers, balances, orders } = desk;
            if (!tickers.isStale) fresh ||= timers.now() - backAt;
            if (balances.state.problem === undefined) known ||= timers.now() - backAt;
            if (orders.own.every(({ state }) => state !== "unknown")) settled ||= timers.now() - backAt;
          }
          assert.ok(fresh > 0 && known > 0 && settled > 0, `${fresh} ${known} ${settled}`);
          counts.slowest = Math.max(counts.slowest, fresh, known, settled);
          assert.deepEqual(notices.sort(), ["log: false", "prices: false"]);
          assert.equal(exchange.requests.placeBid, posts, "nothing was sent by itself");

          const journal = openOrderJournal({ directory: desk.ordersFolder, now: timers.now });
          const bids = journal.orders();
          journal.close();
          assert.deepEqual(bids.map(({ intent }) => intent.id).sort(), ids);
          const last = bids.find(({ intent }) => intent.amount === "30");
          assert.equal(
            last?.state,
            "unresolved",
            "without lists of orders, the user says whether it was placed",
          );
          counts.bidsKept += bids.length;
          assert.equal((await bid(desk, "40")).kind, "accepted", "a new bid on a new price");
        } finally {
          await close(desk);
          rmSync(own, { recursive: true, force: true });
        }
      });
      return (
        `${days} days of 24 h offline: ${Math.round(counts.requests / days)} requests a day, never more than ` +
        `${counts.longestPause / SECOND} s from one to the next, 1 notice each of prices and balance, recovered within ` +
        `${counts.slowest / SECOND} s of the network's return, ${counts.bidsKept} of ${2 * days} bids kept, 0 resent`
      );
    },
  );
});
