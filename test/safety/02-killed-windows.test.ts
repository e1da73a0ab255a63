import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/exchange/client.ts";
import { readFeatures } from "../../src/exchange/features.ts";
import type { ServiceProfile } from "../../src/exchange/profile.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { NOON } from "../support/builders/bidIntent.ts";
import { pairOf } from "../support/builders/client.ts";
import { drivenTime } from "../support/desks/drivenNetwork.ts";
import { close, liveAt, openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { bundleScript } from "../support/processes/bundleScript.ts";
import { killAll, linesOf, runScript, start } from "../support/processes/children.ts";
import { type DeathOrder, type DeathPoint, deathPoints } from "../support/processes/deathPoints.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

const pair = { apiKey: "key-for-tests", apiSecret: "secret-for-tests" };
const LIMIT_MS = 10_000;

/** Its lists of orders, which prove that a bid without a recorded answer was placed. */
function listsOf({ profile }: ProxiedPractice): Partial<ServiceProfile> {
  const read = readFeatures(profile.features, profile.symbolOrder);
  if (Array.isArray(read)) assert.fail(read.join(" "));
  const { openOrders, orderHistory } = read;
  assert.ok(openOrders && orderHistory);
  return { features: { openOrders, orderHistory } };
}

describe("a window that is killed (-9) while it places a bid", () => {
  let folder: string;
  let exchange: ProxiedPractice;
  /** Amounts of the bids that the exchange accepted, oldest first. */
  let seen: string[];
  /** The window that the exchange kills when the exchange accepts the bid of this amount. */
  let victim: { readonly process: ChildProcess; readonly amount: string } | undefined;

  async function openExchange(): Promise<void> {
    seen = [];
    victim = undefined;
    const append = (record: unknown): void => {
      const { kind, amount } = record as { kind: string; amount: string };
      if (kind !== "bid") return;
      seen.push(amount);
      if (victim?.amount === amount) victim.process.kill("SIGKILL");
    };
    exchange = await startProxiedPractice({ credentials: pair, now: Date.now, log: { records: [], append } });
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "killed-desk-"));
    await openExchange();
  });
  afterEach(async () => {
    await killAll();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a window until its death, and checks that the window died at exactly that point. */
  async function dieAt(script: string, order: DeathOrder): Promise<void> {
    const { point, amounts } = order;
    const window = start(script, JSON.stringify(order));
    if (point === "at the exchange's hands")
      victim = { process: window.process, amount: amounts.at(-1) ?? "" };
    const { signal, stdout, stderr } = await window.ended;
    victim = undefined;
    assert.equal(signal, "SIGKILL", `${point}: ${stderr}`);
    assert.equal(stdout, point === "at the exchange's hands" ? "" : `${point}\n`);
  }

  /** The states by amount that the next window lists: at first, and after its checks. */
  async function reopen(storage: string): Promise<{ first: Map<string, string>; last: Map<string, string> }> {
    const { timers, network } = drivenTime(Date.now());
    const desk = await openTestDesk({
      ...liveAt(
        exchange.baseUrl,
        () => Promise.resolve(pairOf(pair.apiKey, pair.apiSecret)),
        listsOf(exchange),
      ),
      storage,
      timers,
      window: unattended,
      createClient: (options) => createClient({ ...options, ...network.client }),
    });
    const { orders } = desk;
    const listed = (): Map<string, string> =>
      new Map(orders.own.map(({ intent, state }) => [intent.amount, state]));
    try {
      await orders.reread();
      const first = listed();
      const end = performance.now() + LIMIT_MS;
      while ([...listed().values()].includes("unknown")) {
        assert.ok(performance.now() < end, "the checks ended in time");
        await timers.advance(timers.nextIn ?? assert.fail("no timer is due"));
      }
      return { first, last: listed() };
    } finally {
      await close(desk);
    }
  }

  safetyLine(
    2,
    "A bid that the exchange saw is listed and reconciled after a kill, and no bid is sent again",
    async (proof) => {
      const script = await bundleScript("test/support/processes/bidAndDie.ts", folder);
      const deaths = new Map<DeathPoint, number>();
      let listed = 0;
      let proved = 0;
      let open = 0;
      let confirmed = 0;
      let arrived = 0;
      let posts = 0;
      const rounds = await proof.each(1000, async ({ random, seed }) => {
        const point = deathPoints[seed % deathPoints.length] ?? assert.fail();
        const directory = join(folder, `journal-${seed}`);
        // The earlier amounts are whole numbers and the last is not, so no sum of them equals the last.
        const earlier = Array.from({ length: Math.floor(random() * 3) }, (_, index) =>
          String(10 + index * 50 + Math.floor(random() * 50)),
        );
        const amount = `${10 + Math.floor(random() * 100)}.${1 + Math.floor(random() * 9)}`;
        const amounts = [...earlier, amount];
        const waits = random() < 0.5;
        const before = { posts: exchange.requests.placeBid, seen: seen.length };
        await dieAt(script, { ...exchange, ...pair, directory, amounts, waits, point });

        const wasSent = deathPoints.indexOf(point) >= deathPoints.indexOf("after its request");
        const sent = wasSent ? amounts : earlier;
        // Bytes written before the death may still be on their way.
        await waitFor("each bid to arrive", () => seen.length >= before.seen + sent.length);
        assert.deepEqual(
          seen.slice(before.seen),
          sent,
          `${point}: the exchange saw exactly the bids that were sent`,
        );

        const { first, last } = await reopen(directory);
        for (const each of seen.slice(before.seen)) {
          assert.ok(first.has(each), `${point}: the journal has the bid of ${each} that the exchange saw`);
          const isRecorded = each !== amount || point === "after its outcome's line";
          assert.equal(first.get(each), isRecorded ? "accepted" : "unknown", point);
          assert.equal(last.get(each), "accepted", point);
          if (!isRecorded) proved += 1;
        }
        if (point === "after its journal line") {
          assert.equal(first.get(amount), "unknown");
          assert.equal(last.get(amount), "unresolved", "a bid without proof is left to the user");
          open += 1;
        } else if (!wasSent) assert.equal(first.has(amount), false, "a bid without a record is not listed");
        assert.equal(
          exchange.requests.placeBid,
          before.posts + sent.length,
          `${point}: no bid is sent again`,
        );
        listed += first.size;
        confirmed += amounts.length;
        deaths.set(point, (deaths.get(point) ?? 0) + 1);
        rmSync(directory, { recursive: true, force: true });
        arrived += seen.length;
        posts += exchange.requests.placeBid;
        assert.equal(posts, arrived);
        // A bid of this round could prove one of the next that is like it.
        await exchange.close();
        await openExchange();
      });
      return (
        `${rounds} windows killed at ${deaths.size} points of placing a bid: ${confirmed} bids confirmed, ` +
        `${arrived} seen by the exchange in ${posts} POSTs, 0 of them unlisted, ${proved} proved ` +
        `placed by the lists; ${listed} listed, ${open} never sent and left to the user; 0 sent again`
      );
    },
  );

  it("leaves each sent bid listed, at any journal call; a bid without a recorded proof is unknown", async () => {
    const script = await bundleScript("test/support/processes/crashAtCall.ts", folder);
    const run = (place: string, call: number) => runScript(script, place, String(NOON), String(call), "bid");
    const counted = await run(join(folder, "whole"), Number.MAX_SAFE_INTEGER);
    const calls = Number(counted.stdout);
    assert.ok(calls > 8, counted.stderr);
    for (let call = 1; call <= calls; call++) {
      const directory = join(folder, `killed-${call}`);
      const { signal } = await run(directory, call);
      assert.equal(signal, "SIGKILL");
      const [sent, ...resent] = linesOf(`${directory}.sent`);
      assert.deepEqual(resent, []);
      const [proved] = linesOf(`${directory}.proved`);
      const journal = openOrderJournal({ directory, now: () => NOON });
      const [bid, ...others] = journal.orders();
      journal.close();
      assert.deepEqual(others, []);
      if (sent !== undefined) assert.equal(bid?.intent.id, sent, `call ${call}`);
      const isProved = bid?.evidence.some(({ kind }) => kind === "outcome") ?? false;
      if (proved !== undefined) assert.ok(isProved, `call ${call}`);
      if (bid) assert.equal(bid.state, isProved ? "accepted" : "unknown", `call ${call}`);
    }
  });
});
