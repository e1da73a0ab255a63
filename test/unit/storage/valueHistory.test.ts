import assert from "node:assert/strict";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ValueSnapshot } from "../../../src/market/holdings/valueSnapshot.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { openAppendLog } from "../../../src/storage/appendLog.ts";
import { ValueHistory } from "../../../src/storage/valueHistory.ts";
import { NEWER_LOG } from "../../support/builders/journalFolder.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const LIVE = "0123456789abcdef";
const NOVEMBER = Date.UTC(2026, 10, 30, 23);
const DECEMBER = Date.UTC(2026, 11, 1);

function snapshot(at: number, account = "practice"): ValueSnapshot {
  const exact = new Decimal("0.1234567890123456789012345678901234567891");
  return {
    at,
    account,
    quote: "THB",
    balances: [{ asset: "BTC", quantity: exact, price: exact }],
    elsewhere: [],
  };
}

describe("the recorded values", () => {
  let folder: string;
  beforeEach(() => void (folder = join(temporaryFolder(), "values")));

  it("keep every digit, by account and time, in a file a month", () => {
    const history = new ValueHistory(folder);
    assert.deepEqual(history.read("practice"), []);
    for (const each of [snapshot(NOVEMBER), snapshot(DECEMBER, LIVE), snapshot(DECEMBER)]) history.add(each);
    assert.deepEqual(new ValueHistory(folder).read("practice"), [snapshot(NOVEMBER), snapshot(DECEMBER)]);
    assert.deepEqual(history.read(LIVE), [snapshot(DECEMBER, LIVE)]);
    assert.deepEqual(history.read("practice", DECEMBER), [snapshot(DECEMBER)]);
    assert.deepEqual(readdirSync(folder), ["values-2026-11.log", "values-2026-12.log"]);
  });

  it("have a last one of each account, however long ago within the time", () => {
    const history = new ValueHistory(folder);
    for (const each of [snapshot(NOVEMBER), snapshot(NOVEMBER, LIVE), snapshot(DECEMBER)]) history.add(each);
    assert.deepEqual([...history.latest(0).values()], [snapshot(DECEMBER), snapshot(NOVEMBER, LIVE)]);
    assert.deepEqual([...history.latest(NOVEMBER + 1).keys()], ["practice"]);
  });

  it("lose only what is damaged, and add after it", () => {
    const history = new ValueHistory(folder);
    history.add(snapshot(NOVEMBER));
    history.add(snapshot(NOVEMBER + 1));
    const path = join(folder, "values-2026-11.log");
    writeFileSync(path, readFileSync(path, "utf8").replace('"THB"', '"USD"'));
    history.add(snapshot(NOVEMBER + 2));
    const times = history.read("practice").map(({ at }) => at);
    assert.deepEqual(times, [NOVEMBER + 1, NOVEMBER + 2]);
  });

  it("leave out a record with a negative or a huge figure, or of nobody's account", () => {
    const log = openAppendLog({ path: join(folder, "values-2026-11.log"), sync: false });
    const good = {
      at: NOVEMBER,
      account: "practice",
      quote: "THB",
      balances: [["BTC", "1", "2"]],
      elsewhere: [],
    };
    for (const change of [
      { balances: [["BTC", "-1", "2"]] },
      { balances: [["BTC", "1e999999999", "2"]] },
      { balances: [["BTC", 1, 2]] },
      { account: "../x" },
      { at: -1 },
      {},
    ])
      log.append({ ...good, ...change });
    log.close();
    assert.equal(new ValueHistory(folder).read("practice").length, 1);
  });

  it("are not read from a file of a size that no month has, and nothing is added to it", () => {
    const history = new ValueHistory(folder);
    history.add(snapshot(NOVEMBER));
    history.add(snapshot(DECEMBER));
    const path = join(folder, "values-2026-11.log");
    truncateSync(path, 65 * 1024 * 1024);
    assert.throws(() => history.read("practice"), /larger than/);
    assert.throws(() => history.add(snapshot(NOVEMBER)), /larger than/);
    assert.deepEqual(history.read("practice", DECEMBER), [snapshot(DECEMBER)]);
  });

  it("leave a file of a newer version alone", () => {
    const history = new ValueHistory(folder);
    history.add(snapshot(DECEMBER));
    writeFileSync(join(folder, "values-2026-11.log"), NEWER_LOG);
    assert.deepEqual(history.read("practice"), [snapshot(DECEMBER)]);
    assert.throws(() => history.add(snapshot(NOVEMBER)));
    assert.equal(readFileSync(join(folder, "values-2026-11.log"), "utf8"), NEWER_LOG);
  });
});
