import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { AlertBook } from "../../../src/journal/alertBook.ts";
import type { Alert } from "../../../src/market/alert.ts";

const ID = "00000000-0000-4000-8000-000000000001";
const alert: Alert = {
  id: ID,
  venue: "practice",
  origin: "http://127.0.0.1:1",
  symbol: "THB_BTC",
  rule: { kind: "above", price: "0.00000123" },
  repeats: true,
  isOn: true,
  phase: "armed",
  armedAt: 1,
  round: 0,
};

describe("AlertBook", () => {
  let folder: string;
  let book: AlertBook;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "alert-book-"));
    book = new AlertBook(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps an alert as it was given, for the user's own eyes", () => {
    const fired = { ...alert, fired: { at: 5, price: 1e-8, isSeen: false } };
    book.put(alert);
    book.put(fired);
    assert.deepEqual(new AlertBook(folder).list(), [fired]);
    assert.deepEqual(book.read(ID), fired);
    const [name = ""] = readdirSync(folder);
    if (process.platform !== "win32") assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  });

  it("lets one claim a firing, and each firing once", () => {
    const other = new AlertBook(folder);
    assert.deepEqual(
      [book.claimFiring(alert), other.claimFiring(alert), book.claimFiring(alert)],
      [true, false, false],
    );
    assert.equal(other.claimFiring({ ...alert, round: 1 }), true);
    book.remove(ID);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("keeps a claim though an older one cannot be cleared away", () => {
    mkdirSync(join(folder, `fired-${ID}-0`));
    assert.equal(book.claimFiring({ ...alert, round: 1 }), true);
    assert.equal(book.claimFiring({ ...alert, round: 1 }), false);
  });

  it("leaves out what is no alert, without a word and without touching it", () => {
    book.put(alert);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        writeFileSync(join(folder, "alert-00000000-0000-4000-8000-000000000002.json"), text);
        assert.deepEqual(book.list(), [alert]);
      }),
      { numRuns: 300 },
    );
    writeFileSync(join(folder, "alert-00000000-0000-4000-8000-000000000002.json"), JSON.stringify(alert));
    assert.deepEqual(book.list(), [alert], "one of another name");
  });
});
