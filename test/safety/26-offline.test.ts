import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UnknownOrders } from "../../src/desk/orders/unknownOrders.ts";
import { reportOnChange } from "../../src/desk/reportOnChange.ts";
import { WakeDetector } from "../../src/desk/time/wakeDetector.ts";
import { NotSentError } from "../../src/exchange/errors.ts";
import { type PracticeExchange, startPractice } from "../../src/practice/http/server.ts";
import { testCredentials } from "../support/builders/client.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { DrivenNetwork } from "../support/desks/drivenNetwork.ts";
import { HeadlessDesk } from "../support/desks/headlessDesk.ts";
import { journalledOrders } from "../support/desks/journalledOrders.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const LONGEST_PAUSE_MS = 60 * SECOND;
const RECOVERED_WITHIN_MS = 65 * SECOND;
const CONNECT_LIMIT_MS = 10 * SECOND;

/** How a network is down: refused at once, or packets vanish until the client's patience ends. */
type Outage = "refusing" | "swallowing";

/** A window that is watched day and night, before a practice exchange over real sockets; only time is driven. */
class Watched {
  readonly timers: FakeTimers;
  readonly network: DrivenNetwork;
  readonly desk: HeadlessDesk;
  /** What a person is told: that prices or balance went stale or came back, by the event that says so and in the log. */
  readonly told: string[] = [];
  /** From the end of one attempt to the next: for prices, and for all that a key is needed for; ms. */
  readonly pauses = { prices: [] as number[], account: [] as number[] };
  readonly #failedAt = new Map<keyof Watched["pauses"], number>();
  readonly #own: WakeDetector;
  readonly #unknownBids: UnknownOrders;

  constructor(directory: string, exchange: PracticeExchange, outage: Outage, random: Random) {
    let quiet: () => Promise<void> = () => Promise.resolve();
    this.timers = new FakeTimers(undefined, () => quiet());
    this.network = new DrivenNetwork(this.timers.now);
    quiet = this.network.quiet;
    this.network.whenDown = async ({ endpoint }) => {
      const { now, after } = this.timers;
      const purpose = endpoint === "tickers" ? "prices" : "account";
      const failedAt = this.#failedAt.get(purpose);
      if (failedAt !== undefined && now() > failedAt) this.pauses[purpose].push(now() - failedAt);
      if (outage === "swallowing") await new Promise<void>((resolve) => after(CONNECT_LIMIT_MS, resolve));
      this.#failedAt.set(purpose, now());
      throw new NotSentError(endpoint, "unreachable", outage);
    };
    this.#own = new WakeDetector(this.timers);
    this.desk = new HeadlessDesk({
      baseUrl: exchange.baseUrl,
      directory,
      timers: this.#own,
      random,
      client: this.network.client,
      credentials: () => Promise.resolve(testCredentials),
      disk: {
        writeSync: (fd, bytes, offset) => writeSync(fd, bytes, offset),
        fsyncSync: () => undefined,
      },
    });
    const { venue, tickers, balances, orders } = this.desk;
    this.#unknownBids = new UnknownOrders({ orders, venue, timers: this.#own, random, isMine: () => true });
    balances.onDidChange(({ problem }) => problem !== undefined && this.told.push("balance: true"));
    const log = reportOnChange((problem) => this.told.push(`log: ${problem !== undefined}`));
    tickers.onDidChange(({ state: { problem }, change }) => {
      if (change?.staleChanged) this.told.push(`prices: ${tickers.isStale}`);
      log(problem);
    });
  }

  async close(): Promise<void> {
    this.#own.dispose();
    this.#unknownBids.dispose();
    await this.desk.close();
  }
}

describe("a day without a network", () => {
  let exchange: PracticeExchange;
  let watched: Watched | undefined;
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "offline-"));
    exchange = await startPractice({ credentials: testPair, now: () => watched?.timers.now() ?? 0 });
  });
  afterEach(async () => {
    await exchange.close();
    rmSync(directory, { recursive: true, force: true });
  });

  safetyLine(
    26,
    "Backs off with jitter to a minute, is told once, is over within 65 s of its end, and loses no bid",
    async (proof) => {
      const counts = { requests: 0, longestPause: 0, slowest: 0, kept: 0 };
      const days = await proof.each(10, async ({ seed, random }) => {
        const own = join(directory, String(seed));
        watched = new Watched(own, exchange, pick(random, ["refusing", "swallowing"]), random);
        const { desk, timers, network, told } = watched;
        try {
          await desk.open();
          desk.watch();
          await timers.advance(SECOND);
          assert.equal((await desk.place("20")).kind, "accepted");
          const hasArrived = random() < 0.5;
          exchange.faults.next("placeBid", { kind: "reset", when: hasArrived ? "after" : "before" });
          assert.equal((await desk.place("30")).kind, "unknown");
          const posts = exchange.requests.placeBid;
          const ids = desk.orders.bids.map(({ intent }) => intent.id).sort();
          told.length = 0;
          network.attempts.length = 0;

          network.isUp = false;
          await timers.advance(DAY + Math.floor(random() * LONGEST_PAUSE_MS));
          assert.deepEqual([...told].sort(), ["balance: true", "log: true", "prices: true"]);
          const pauses = Object.values(watched.pauses).flat();
          counts.requests += network.attempts.length;
          counts.longestPause = Math.max(counts.longestPause, ...pauses);
          assert.ok(counts.longestPause <= LONGEST_PAUSE_MS);
          assert.ok(new Set(pauses).size > 500, "pauses are jittered");
          assert.deepEqual(
            desk.orders.bids.map(({ state }) => state),
            ["unknown", "accepted"],
          );
          const hopeless = desk.place("40");
          await timers.advance(3 * CONNECT_LIMIT_MS);
          assert.equal((await hopeless).kind, "invalid", "no bid rests on yesterday's price");

          told.length = 0;
          network.isUp = true;
          const backAt = timers.now();
          let [fresh, known, settled] = [0, 0, 0];
          for (let ms = SECOND; ms <= RECOVERED_WITHIN_MS; ms += SECOND) {
            await timers.advance(SECOND);
            const { tickers, balances, orders } = desk;
            if (!tickers.isStale) fresh ||= timers.now() - backAt;
            if (balances.state.problem === undefined) known ||= timers.now() - backAt;
            if (orders.bids.every(({ state }) => state !== "unknown")) settled ||= timers.now() - backAt;
          }
          assert.ok(fresh > 0 && known > 0 && settled > 0, `${fresh} ${known} ${settled}`);
          counts.slowest = Math.max(counts.slowest, fresh, known, settled);
          assert.deepEqual(told.sort(), ["log: false", "prices: false"]);
          assert.equal(exchange.requests.placeBid, posts, "nothing was sent by itself");

          const reopened = journalledOrders(own, timers.now);
          await reopened.reread();
          const bids = [...reopened.bids];
          await reopened.close();
          assert.deepEqual(bids.map(({ intent }) => intent.id).sort(), ids);
          const last = bids.find(({ intent }) => intent.amount === "30");
          assert.equal(last?.state, hasArrived ? "accepted" : "unresolved");
          counts.kept += bids.length;
          assert.equal((await desk.place("40")).kind, "accepted", "a new bid on a new price");
        } finally {
          await watched.close();
          rmSync(own, { recursive: true, force: true });
        }
      });
      return (
        `${days} days of 24 h offline: ${Math.round(counts.requests / days)} requests a day, never more than ` +
        `${counts.longestPause / SECOND} s from one to the next, 1 notice each of prices and balance, recovered within ` +
        `${counts.slowest / SECOND} s of the network's return, ${counts.kept} of ${2 * days} bids kept, 0 sent by themselves`
      );
    },
  );
});
