import assert from "node:assert/strict";
import { RefusedError } from "../../src/exchange/errors.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { testBid, testClient } from "../support/builders/client.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { openForm, type OpenForm } from "../support/pages/openForm.ts";
import { pick, type Random } from "../support/random.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

const DAY_MS = 86_400_000;
/** The practice exchange refuses a timestamp further from its clock with error 8. */
const WINDOW_MS = 30_000;

/** Whole ms, up to a whole day early or late. */
function offsetOf(random: Random): number {
  return pick(random, [-DAY_MS, DAY_MS, ...Array<number>(18).fill(Math.round((random() * 2 - 1) * DAY_MS))]);
}

/** Another offset than `from`, so far from it that a signature made for `from` is refused. */
function jumpFrom(from: number, random: Random): number {
  const to = offsetOf(random);
  return Math.abs(to - from) > WINDOW_MS + 5000 ? to : jumpFrom(from, random);
}

describe("A clock that is wrong", () => {
  const credentials = () =>
    Promise.resolve({ apiKey: new Secret(testPair.apiKey), apiSecret: new Secret(testPair.apiSecret) });
  let practice: ProxiedPractice;
  let exchange: TestExchange;

  before(async () => {
    practice = await startProxiedPractice({ credentials: testPair, now: Date.now });
    exchange = await serveExchange();
  });
  after(async () => {
    await practice.close();
    await exchange.close();
  });

  /** Submits a bid that fills at once, on fresh prices; returns the state it is listed in. */
  async function bid(form: OpenForm): Promise<string | undefined> {
    await form.tickers.refresh();
    const { bestAsk } = form.tickers.ticker("THB_BTC") ?? assert.fail("no ticker");
    const before = new Set(form.orders.own.map(({ intent }) => intent.id));
    const rate = ((bestAsk ?? assert.fail("no ask")) * 1.01).toFixed(2);
    const { notice } = await form.submit({ symbol: "THB_BTC", amount: "10", rate });
    // The balance is read after every bid, and would meet the clock's next jump before the next bid.
    await form.balances.refresh();
    const made = form.orders.own.find(({ intent }) => !before.has(intent.id));
    if (made?.state === "rejected") {
      assert.match(notice?.text ?? "", /^Rejected\. .*error 8: .*checked again\. Submit the order again\.$/);
    }
    return made?.state;
  }

  /** One person at a computer with a wrong clock, which then becomes wrong by another offset. */
  async function meetPractice(random: Random) {
    const clock = { local: offsetOf(random) };
    practice.faults.clockSkewMs = 0;
    const started = { ...practice.requests };
    const form = await openForm(practice.baseUrl, {
      credentials,
      profile: { walletMethod: "GET" },
      now: () => Date.now() + clock.local,
    });
    try {
      assert.equal(await bid(form), "accepted");
      const jumped = pick(random, ["the server's", "the server's", "this machine's"]);
      if (jumped === "the server's") practice.faults.clockSkewMs = jumpFrom(0, random);
      else clock.local = jumpFrom(clock.local, random);

      if (random() < 0.2) {
        assert.ok((await form.client.wallet()).size > 0, "a read measures the clock and asks again");
        assert.equal(await bid(form), "accepted");
        assert.equal(practice.requests.placeBid - started.placeBid, 2);
        return { refused: 0, submitted: 2 };
      }
      const offset = form.client.clock?.offset;
      const next = await bid(form);
      assert.equal(practice.requests.placeBid - started.placeBid, 2);
      if (next === "accepted") return { refused: 0, submitted: 2 };
      assert.equal(next, "rejected");
      await waitFor("the clock to be measured again", () => form.client.clock?.offset !== offset);
      assert.equal(practice.requests.serverTime - started.serverTime, 2);
      assert.equal(practice.requests.placeBid - started.placeBid, 2, "nothing was sent by itself");
      assert.equal(await bid(form), "accepted");
      assert.equal(practice.requests.placeBid - started.placeBid, 3);
      return { refused: 1, submitted: 3 };
    } finally {
      await form.close();
    }
  }

  /** How far a signature's time was behind the server's, in ms, and how far it may be by the measured round trip. */
  async function measure(random: Random): Promise<{ off: number; mayBe: number }> {
    const [out, back] = pick(random, [
      [0, 0],
      [800, 800],
      [Math.floor(random() * 4000), Math.floor(random() * 4000)],
    ] as const);
    const offset = offsetOf(random);
    const inSeconds = random() < 0.5;
    let local = 1_795_000_000_000 + Math.floor(random() * 1000);
    exchange.answers.serverTime = (_request, response) => {
      local += out;
      const server = local + offset;
      local += back;
      response.end(String(inSeconds ? Math.floor(server / 1000) : server));
    };
    exchange.seen.length = 0;
    const client = testClient(exchange.url, {}, { now: () => local });
    await client.measureClock();
    local += Math.floor(random() * 240_000);
    await client.placeOrder(testBid());
    const [sent] = exchange.seenOf("placeBid");
    const off = Number(sent?.headers["x-svc-timestamp"]) - (local + offset);
    const what = `${off} ms off, ${out} out, ${back} back`;
    if (inSeconds) {
      assert.ok(off <= 0 && off > -1000 - back, what);
      return { off: Math.abs(off), mayBe: 1000 + back };
    }
    assert.equal(off + back, 0, what);
    return { off: back, mayBe: back };
  }

  safetyLine(
    19,
    "Signing follows the server's clock; a refused time is measured again and no bid is sent again by itself",
    async (proof) => {
      const counts = { refused: 0, submitted: 0, most: 0, mayBe: 0 };
      const first = practice.requests.placeBid;
      const rounds = await proof.each(1000, async ({ random }) => {
        const { refused, submitted } = await meetPractice(random);
        counts.refused += refused;
        counts.submitted += submitted;
        const { off, mayBe } = await measure(random);
        counts.most = Math.max(counts.most, off);
        counts.mayBe = Math.max(counts.mayBe, mayBe);
      });
      const posts = practice.requests.placeBid - first;
      assert.equal(posts, counts.submitted);
      if (rounds >= 50) assert.ok(counts.refused > 0);
      return (
        `${rounds} clocks off by up to 24 h: ${counts.submitted} bids submitted, ${posts} POSTs; ${counts.refused} refused with error 8, each accepted ` +
        `when submitted again; signatures off by at most ${counts.most} of ${counts.mayBe} ms, and never ahead of the server`
      );
    },
  );

  it("leads to one refusal for each bid if the server always refuses, and each bid is sent once", async () => {
    exchange.answers.placeBid = (_request, response) => void response.end('{"error":8}');
    delete exchange.answers.serverTime;
    exchange.seen.length = 0;
    const client = testClient(exchange.url);
    const isRefused = (error: unknown): boolean => error instanceof RefusedError && error.code === 8;
    await assert.rejects(client.placeOrder(testBid()), isRefused);
    await assert.rejects(client.placeOrder(testBid()), isRefused);
    await waitFor("the last measurement", () => exchange.seenOf("serverTime").length === 3);
    assert.equal(exchange.seenOf("placeBid").length, 2);
    delete exchange.answers.placeBid;
  });
});
