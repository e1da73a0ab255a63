import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { crossings, MATCH_STEP_MS } from "../../../../src/practice/account/matching.ts";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { bidBody, getWallet, postBid, testPair } from "../../../support/builders/practiceRequest.ts";

const START = Date.UTC(2026, 4, 1, 12, 0, 3);
const DAY = 86_400_000;
const SYMBOL = "THB_ETH";

describe("practice matching", function () {
  this.timeout(60_000);
  const market = createMarket(DEFAULT_SEED);
  const askAt = (at: number): number => market.quoteAt(SYMBOL, at).ask;

  /** The first grid moment after START at which the ask is at or below this rate. */
  function expectedFill(rate: number): number {
    let at = Math.ceil((START + 1) / MATCH_STEP_MS) * MATCH_STEP_MS;
    while (askAt(at) > rate) at += MATCH_STEP_MS;
    return at;
  }
  /** A rate that the ask reaches some time later. */
  function restingRate(): number {
    const asks = Array.from({ length: 120 }, (_, step) => askAt(START + step * MATCH_STEP_MS));
    return Math.floor(Math.min(...asks) * 1.0002);
  }

  describe("over HTTP", () => {
    let exchange: PracticeExchange;
    let clock = START;
    let records: unknown[] = [];

    async function start(): Promise<void> {
      const log = { records: [...records], append: (record: unknown) => void records.push(record) };
      exchange = await startPractice({
        credentials: testPair,
        now: () => clock,
        walletShape: "balances",
        log,
      });
    }
    const wallet = async (): Promise<string> => (await getWallet(exchange.baseUrl, clock)).text;

    beforeEach(() => {
      records = [];
      clock = START;
      return start();
    });
    afterEach(() => exchange.close());

    it("reserves a resting bid, and fills it at its own rate when the ask reaches the rate", async () => {
      const rate = restingRate();
      const at = expectedFill(rate);
      assert.ok(askAt(START) > rate && at > START + MATCH_STEP_MS, "the bid rests at first");

      const placed = await postBid(exchange.baseUrl, bidBody(SYMBOL, 1000, rate), clock);
      const quantity = new Decimal("997.5").div(String(rate)).round(8, Decimal.roundDown).toFixed();
      assert.match(placed.text, new RegExp(`"fee":2.5,"cre":0,"rec":${quantity},`));
      const resting = '{"error":0,"result":{"THB":{"available":999000,"reserved":1000}}}';
      assert.equal(await wallet(), resting);

      clock = at - 1;
      assert.equal(await wallet(), resting);
      clock = at;
      const filled = `{"error":0,"result":{"THB":{"available":999000,"reserved":0},"ETH":{"available":${quantity},"reserved":0}}}`;
      assert.equal(await wallet(), filled);

      await exchange.close();
      await start();
      assert.equal(await wallet(), filled, "and the bid stays filled after a restart");
    });

    it("fills the same bids for any number of requests in between, and across a restart", async () => {
      const rate = restingRate();
      const at = expectedFill(rate);
      await postBid(exchange.baseUrl, bidBody(SYMBOL, 1000, rate), clock);
      await exchange.close();
      const placed = [...records];
      const end = at + 5 * MATCH_STEP_MS;

      const outcomes = [];
      for (const step of [7_345, 61_000, DAY]) {
        records = [...placed];
        clock = START;
        await start();
        while (clock < end) {
          clock = Math.min(clock + step, end);
          await wallet();
        }
        outcomes.push(records.slice(placed.length));
        await exchange.close();
      }
      assert.deepEqual(
        outcomes[0]?.map((record) => (record as { at: number }).at),
        [at],
      );
      assert.deepEqual(outcomes[1], outcomes[0]);
      assert.deepEqual(outcomes[2], outcomes[0]);
    });

    it("never fills a bid at a moment before the bid was placed", async () => {
      const rate = restingRate();
      const crossed = expectedFill(rate);
      await postBid(exchange.baseUrl, bidBody(SYMBOL, 1000, Math.floor(rate * 0.9)), clock);
      let later = crossed;
      while (askAt(later) <= rate) later += MATCH_STEP_MS;
      clock = later + 1;
      await postBid(exchange.baseUrl, bidBody(SYMBOL, 2000, rate), clock);
      await exchange.close();
      await start();
      assert.match(await wallet(), /"reserved":3000/);
    });
  });

  it("catches up with a year in limited work", () => {
    let asked = 0;
    const counted = (at: number): number => {
      asked += 1;
      return askAt(at);
    };
    const bids = [{ rate: new Decimal("1"), at: START }];
    assert.deepEqual(crossings(bids, counted, START, START + 365 * DAY), []);
    assert.ok(asked < 365 * 144 + 8640 + 2, `${asked} moments`);
  });

  it("fills the highest rates first, and each bid once", () => {
    const bids = [98, 100, 99].map((rate) => ({ rate: new Decimal(String(rate)), at: 0 }));
    const crossed = crossings(bids, (at) => 101 - at / MATCH_STEP_MS, 0, 10 * MATCH_STEP_MS);
    assert.deepEqual(
      crossed.map(({ bid, at }) => [bid.rate.toFixed(), at / MATCH_STEP_MS]),
      [
        ["100", 1],
        ["99", 2],
        ["98", 3],
      ],
    );
  });
});
