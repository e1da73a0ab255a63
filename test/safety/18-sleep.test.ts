import assert from "node:assert/strict";
import { fstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desk } from "../../src/desk/desk.ts";
import { createClient } from "../../src/exchange/client.ts";
import type { HttpResponse, HttpRequest } from "../../src/http/transport.ts";
import type { HttpFault } from "../support/servers/httpFaults.ts";
import { type ProxiedPractice, startProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { testCredentials } from "../support/builders/client.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { DrivenNetwork } from "../support/desks/drivenNetwork.ts";
import { bid, close, liveAt } from "../support/desks/testDesk.ts";
import { openDesk } from "../support/desks/windows.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";
import { computerWith } from "../support/fakes/computer.ts";

/** The stage of a bid at the start of the sleep; "idle": no bid, "prices": the market's answer is on its way. */
const PLACES = ["idle", "prices", "question", "journal", "keyring", "clock", "connecting", "answer"] as const;
type Place = (typeof PLACES)[number];
/** From this stage on, the exchange has the bid. */
const SENT: Place = "answer";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The greatest age of a price or a confirmation that a bid may use. */
const LIMIT_MS = 10 * SECOND;

/** How far the computer's clock moved in the sleep: seconds, minutes or hours; below zero: set back. */
function sleepOf(random: Random): number {
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  return pick(random, [
    between(SECOND, 5 * SECOND),
    between(30 * SECOND, 5 * MINUTE),
    between(5 * MINUTE, HOUR),
    8 * HOUR,
    24 * HOUR,
    -between(30 * SECOND, 24 * HOUR),
  ]);
}

/** A window on a computer that can fall asleep at any stage, with a practice exchange over real sockets. */
class Laptop {
  readonly fake: FakeTimers;
  readonly network: DrivenNetwork;
  readonly desk: Desk;
  /** The stage of the next sleep. */
  trap: Place | undefined;
  /** By how much the exchange's clock is ahead of the computer's. */
  skewMs = 0;
  /** For each answer that refused a timestamp: the number of attempts before its request. */
  readonly refusedTimes: number[] = [];
  wokeAt: { readonly now: number; readonly attempts: number } | undefined;
  /** The number of attempts before prices were first stale after the sleep. */
  noticedAfter: number | undefined;
  readonly #sleepMs: number;
  readonly #driftMs: number;
  readonly #downMs: number;

  constructor(directory: string, exchange: ProxiedPractice, random: Random) {
    this.#sleepMs = sleepOf(random);
    // The clock may be wrong after a long sleep, but not after a sleep of seconds.
    this.#driftMs = Math.abs(this.#sleepMs) > 5 * SECOND ? Math.round((random() - 0.5) * 2 * HOUR) : 0;
    this.#downMs = random() < 0.5 ? 0 : Math.round(random() * MINUTE);
    let quiet: () => Promise<void> = () => Promise.resolve();
    this.fake = new FakeTimers(undefined, () => quiet());
    this.network = new DrivenNetwork(this.fake.now);
    quiet = this.network.quiet;
    const { transport, ...client } = this.network.client;
    this.desk = openDesk(directory, {
      ...liveAt(exchange.baseUrl, async () => {
        this.#pass("keyring");
        return testCredentials;
      }),
      timers: this.fake,
      random,
      intervalMs: 30 * SECOND,
      createClient: (options) =>
        createClient({
          ...options,
          ...client,
          transport: (request) => this.#carry(request, transport ?? assert.fail()),
        }),
      openWindows: () => Promise.reject(new Error("There is no other window.")),
      computer: computerWith({
        fsyncSync: (fd) => fstatSync(fd).isDirectory() || this.#pass("journal"),
      }),
      ask: {
        confirmBeyond: () => Promise.resolve(true),
        confirm: async () => {
          this.#pass("question");
          return true;
        },
      },
    });
    const { tickers } = this.desk;
    tickers.onDidChange(() => {
      if (this.wokeAt && tickers.isStale) this.noticedAfter ??= this.network.attempts.length;
    });
  }

  get isLongAsleep(): boolean {
    return this.#sleepMs < 0 || this.#sleepMs > LIMIT_MS;
  }

  get wakesByItself(): boolean {
    return Math.abs(this.#sleepMs) > 5 * SECOND;
  }

  get downMs(): number {
    return this.#downMs;
  }

  get sleepMs(): number {
    return this.#sleepMs;
  }

  fallAsleep(): void {
    this.trap = undefined;
    this.fake.sleep(this.#sleepMs);
    this.skewMs = this.#driftMs;
    this.wokeAt = { now: this.fake.now(), attempts: this.network.attempts.length };
    if (this.#downMs === 0) return;
    this.network.isUp = false;
    this.fake.after(this.#downMs, () => (this.network.isUp = true));
  }

  #pass(place: Place): void {
    if (this.trap === place) this.fallAsleep();
  }

  async #carry(
    request: HttpRequest,
    send: (request: HttpRequest) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const attempt = this.network.attempts.length;
    const { label: endpoint } = request;
    const sending = send(request);
    if (endpoint === "placeBid") this.#pass("connecting");
    try {
      const answer = await sending;
      if (String(answer.body).includes('"error":8,')) this.refusedTimes.push(attempt);
      return answer;
    } finally {
      if (endpoint === "placeBid") this.#pass("answer");
      if (endpoint === "serverTime") this.#pass("clock");
      if (endpoint === "tickers") this.#pass("prices");
    }
  }
}

describe("a computer that sleeps", () => {
  let exchange: ProxiedPractice;
  let laptop: Laptop | undefined;
  let books: { kind?: unknown }[];
  let directory: string;
  beforeEach(async () => {
    books = [];
    directory = mkdtempSync(join(tmpdir(), "suspend-"));
    exchange = await startProxiedPractice({
      credentials: testPair,
      now: () => (laptop ? laptop.fake.now() + laptop.skewMs : 0),
      log: { records: [], append: (record) => books.push(record as { kind?: unknown }) },
    });
  });
  afterEach(async () => {
    await exchange.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const posts = (): number => exchange.requests.placeBid;
  const inBooks = (): number => books.filter(({ kind }) => kind === "bid").length;
  const lostAnswers: readonly HttpFault[] = [
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
  ];

  safetyLine(
    18,
    "Sends no delayed bid late, marks prices as stale at once, and checks clock and unknown bids first",
    async (proof) => {
      const counts = { held: 0, stopped: 0, sent: 0, unknown: 0, settled: 0, firsts: 0, signed: 0 };
      const sleeps = await proof.each(1_000, async ({ seed, random }) => {
        const own = join(directory, String(seed));
        const place = pick(random, PLACES);
        laptop = new Laptop(own, exchange, random);
        const { desk, fake, network } = laptop;
        try {
          await fake.advance(SECOND);
          const [postsAtFirst, booksAtFirst] = [posts(), inBooks()];
          const withUnknown = random() < 0.5;
          if (withUnknown) {
            exchange.faults.next("placeBid", pick(random, lostAnswers));
            assert.equal((await bid(desk, "20")).kind, "unknown");
            counts.unknown += 1;
          }
          await fake.advance(Math.floor(random() * 20 * SECOND));

          const postsBefore = posts();
          const isPending = desk.orders.own.some(({ state }) => state === "unknown");
          laptop.trap = place;
          if (place === "idle") laptop.fallAsleep();
          else if (place === "prices") await desk.tickers.refresh();
          else {
            if (place === "clock") desk.venue.venue?.client.forgetClock();
            if (place === SENT && random() < 0.5) exchange.faults.next("placeBid", pick(random, lostAnswers));
            const { kind } = await bid(desk, "30");
            const left = posts() - postsBefore;
            if (place === SENT) {
              assert.equal(left, 1);
              assert.ok(kind === "accepted" || kind === "unknown", kind);
              counts.sent += 1;
              counts.unknown += Number(kind === "unknown");
            } else if (left > 0) {
              assert.ok(!laptop.isLongAsleep, "a bid was sent late");
              assert.equal(kind, "accepted");
              counts.sent += 1;
            } else {
              assert.ok(kind === "invalid" || kind === "notSent", kind);
              counts[kind === "invalid" ? "stopped" : "held"] += 1;
            }
          }
          const { wokeAt, sleepMs } = laptop;
          assert.ok(wokeAt, "the computer never slept");
          await fake.advance(2 * SECOND);
          if (laptop.wakesByItself) {
            const { noticedAfter = assert.fail("prices counted as fresh after the sleep") } = laptop;
            const unnoticed = network.attempts.slice(wokeAt.attempts, noticedAfter);
            assert.ok(unnoticed.every(({ request }) => request.label === "serverTime"));
            if (isPending && place === "idle" && sleepMs > 3 * MINUTE) {
              const first = network.attempts.slice(noticedAfter).map(({ request }) => request.label);
              assert.ok(first.length > 0 && first[0] === "serverTime");
              if (laptop.downMs === 0)
                assert.deepEqual(first.slice(0, 3), ["serverTime", "wallet", "tickers"]);
              counts.firsts += 1;
            }
          }
          await fake.advance(laptop.downMs + 65 * SECOND);
          assert.equal(desk.tickers.isStale, false);
          assert.ok((desk.tickers.state.readAt ?? 0) >= wokeAt.now);
          assert.equal(desk.balances.state.problem, undefined);
          await fake.advance(3 * MINUTE);
          assert.ok(posts() - postsBefore <= 1, "a bid was sent again");

          const signed = network.attempts
            .map(({ request }, index) => ({ endpoint: request.label, index }))
            .filter(({ index }) => index >= wokeAt.attempts);
          if (laptop.wakesByItself) {
            const measured = signed.find(({ endpoint }) => endpoint === "serverTime")?.index ?? Infinity;
            const privately = signed.filter(
              ({ endpoint }) => endpoint === "wallet" || endpoint === "placeBid",
            );
            assert.ok(
              privately.every(({ index }) => index > measured),
              "signed before the clock was measured",
            );
            assert.ok(
              laptop.refusedTimes.every((attempt) => attempt < wokeAt.attempts),
              "signed by an old clock",
            );
            counts.signed += privately.length;
          }
          for (const bid of desk.orders.own) {
            if (bid.evidence.some((event) => event.kind === "check")) {
              assert.ok(bid.state === "accepted" || bid.state === "unresolved", bid.state);
              counts.settled += 1;
            }
            assert.ok(
              bid.state !== "unknown" && bid.state !== "sending" && bid.state !== "notPlaced",
              bid.state,
            );
          }
          assert.ok(
            inBooks() - booksAtFirst <= posts() - postsAtFirst,
            "the exchange has more bids than were sent",
          );

          const before = posts();
          const fresh = await bid(desk, "40");
          assert.deepEqual([fresh.kind, posts() - before], ["accepted", 1], "a new bid after the sleep");
        } finally {
          await close(desk);
          rmSync(own, { recursive: true, force: true });
        }
      });
      assert.equal(counts.settled, counts.unknown);
      return (
        `${sleeps} sleeps of seconds to a day, some with clocks set back or wrong: ${counts.stopped} bids stopped, ` +
        `${counts.held} held back from sending, 0 sent late, ${counts.sent} in time, 0 again; ${counts.signed} signed ` +
        `requests after waking, 0 before the clock was measured; ${counts.settled} unknown bids confirmed from the balance ` +
        `or left to the user, before all else in ${counts.firsts} wakings with a check due`
      );
    },
  );
});
