import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Alert, AlertRule } from "../../../src/market/alertRule.ts";
import { AlertFiles } from "../../../src/storage/alertFiles.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

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
};

describe("AlertFiles", () => {
  let folder: string;
  let book: AlertFiles;
  beforeEach(() => {
    folder = temporaryFolder();
    book = new AlertFiles(folder);
  });

  it("stores an alert unchanged, in a file that only the user can read", () => {
    const fired = { ...alert, fired: { armedAt: 1, at: 5, price: 1e-8, isSeen: false } };
    book.put(alert);
    book.put(fired);
    assert.deepEqual(new AlertFiles(folder).list(), [fired]);
    assert.deepEqual(book.read(ID), fired);
    const [name = ""] = readdirSync(folder);
    if (process.platform !== "win32") assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  });

  it("stores every rule unchanged", () => {
    const rules: readonly AlertRule[] = [
      { kind: "below", price: "90" },
      { kind: "crosses", price: "100", towards: "above" },
      { kind: "within", low: "90", high: "100" },
      { kind: "change", percent: "2.5", minutes: 30 },
      { kind: "volume", volume: "1250.5", asset: "BTC" },
    ];
    for (const rule of rules) {
      book.put({ ...alert, rule });
      assert.deepEqual(book.read(ID)?.rule, rule);
    }
  });

  it("leaves an alert of a newer version alone, and counts it", () => {
    book.put(alert);
    const path = join(folder, `alert-${ID}.json`);
    const text = JSON.stringify({ version: 2, ...alert, more: true });
    writeFileSync(path, text);
    assert.deepEqual([book.list(), book.newer, book.read(ID)], [[], 1, undefined]);
    assert.equal(readFileSync(path, "utf8"), text);
  });

  it("ignores a file that is not an alert", () => {
    book.put(alert);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        writeFileSync(join(folder, "alert-00000000-0000-4000-8000-000000000002.json"), text);
        assert.deepEqual(book.list(), [alert]);
      }),
      { numRuns: 300 },
    );
    writeFileSync(
      join(folder, "alert-00000000-0000-4000-8000-000000000002.json"),
      JSON.stringify({ version: 1, ...alert }),
    );
    assert.deepEqual(book.list(), [alert], "an alert under another name");
  });
});
