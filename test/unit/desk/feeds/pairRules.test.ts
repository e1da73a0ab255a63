import assert from "node:assert/strict";
import { PairRules } from "../../../../src/desk/feeds/pairRules.ts";
import { decodeSymbols, type SymbolsResponse } from "../../../../src/exchange/wire/symbols.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultRules } from "../../../../src/market/order.ts";
import { answerRead, inEnvelope } from "../../../support/builders/answers.ts";
import { FakeClient, openVenue, liveAccount } from "../../../support/fakes/venue.ts";

const pair = { quote: "THB", base: "BTC" };
const MINUTE = 60_000;

function symbolsOf(minimum: number): SymbolsResponse {
  const rows = [{ symbol: "BTC_THB", min_quote_size: minimum }];
  return decodeSymbols(answerRead(inEnvelope(rows, "B")), "baseFirst") ?? assert.fail();
}

/** Rules of a pair on a driven clock, with the exchange's answers one after the other. */
async function rulesFrom(...answers: (SymbolsResponse | Error)[]) {
  const client = new FakeClient();
  const state = { now: 1_000_000, asked: 0, errors: [] as unknown[], fees: new Map<string, Decimal>() };
  client.capabilities = {
    symbols: () => {
      const answer = answers[Math.min(state.asked, answers.length - 1)];
      state.asked += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? assert.fail());
    },
  };
  const other = new FakeClient();
  const venue = await openVenue(client, other);
  const rules = new PairRules({
    venue,
    usual: defaultRules,
    feeShareOf: ({ base }) => state.fees.get(base),
    now: () => state.now,
    onError: (error) => state.errors.push(error),
  });
  const minimum = async (): Promise<string> => {
    const read = rules.rulesOf(pair).minimumAmount.toFixed();
    await new Promise(setImmediate);
    return read;
  };
  return { rules, state, venue, minimum };
}

describe("the rules of pairs", () => {
  it("are the usual ones until the exchange has answered, and its own from then on", async () => {
    const { minimum, state } = await rulesFrom(symbolsOf(50));
    assert.deepEqual([await minimum(), await minimum(), await minimum()], ["10", "50", "50"]);
    assert.equal(state.asked, 1);
  });

  it("have the fee of the account's last fills, with the usual rules and with the exchange's", async () => {
    const { rules, state, minimum } = await rulesFrom(symbolsOf(50));
    state.fees.set("BTC", new Decimal("0.0015"));
    const feeOf = (base: string): string => rules.rulesOf({ quote: "THB", base }).feeShare.toFixed();
    assert.deepEqual([feeOf("BTC"), feeOf("ETH")], ["0.0015", "0.0025"]);
    await minimum();
    assert.deepEqual([rules.rulesOf(pair).minimumAmount.toFixed(), feeOf("BTC")], ["50", "0.0015"]);
  });

  it("are the usual ones for a pair that the exchange does not list", async () => {
    const { rules, minimum } = await rulesFrom(symbolsOf(50));
    await minimum();
    assert.equal(rules.rulesOf({ quote: "THB", base: "ETH" }), defaultRules);
  });

  it("are read again after ten minutes", async () => {
    const { minimum, state } = await rulesFrom(symbolsOf(50), symbolsOf(60));
    await minimum();
    state.now += 10 * MINUTE - 1;
    assert.equal(await minimum(), "50");
    state.now += 1;
    assert.deepEqual([await minimum(), await minimum(), state.asked], ["50", "60", 2]);
  });

  it("stay as they were after a failure, and are read again a minute later", async () => {
    const { minimum, state } = await rulesFrom(symbolsOf(50), new Error("lost"), symbolsOf(60));
    await minimum();
    state.now += 10 * MINUTE;
    await minimum();
    assert.deepEqual([await minimum(), state.errors.length, state.asked], ["50", 1, 2]);
    state.now += MINUTE;
    await minimum();
    assert.equal(await minimum(), "60");
  });

  it("do not wait for a clock that was set back", async () => {
    const { minimum, state } = await rulesFrom(symbolsOf(50), symbolsOf(60));
    await minimum();
    state.now -= 24 * 60 * MINUTE;
    await minimum();
    assert.deepEqual([await minimum(), state.asked], ["60", 2]);
  });

  it("are forgotten on another exchange, which states none", async () => {
    const { minimum, venue, state } = await rulesFrom(symbolsOf(50));
    await minimum();
    assert.equal(await minimum(), "50");
    await venue.select(liveAccount);
    assert.deepEqual([await minimum(), await minimum(), state.asked], ["10", "10", 1]);
  });
});
