import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Alert } from "../../../src/market/alertRule.ts";
import { AlertFiles, CLAIM_MS } from "../../../src/storage/alertFiles.ts";

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

describe("AlertFiles", () => {
  let folder: string;
  let book: AlertFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "alert-book-"));
    book = new AlertFiles(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("stores an alert unchanged, in a file that only the user can read", () => {
    const fired = { ...alert, fired: { at: 5, price: 1e-8, isSeen: false } };
    book.put(alert);
    book.put(fired);
    assert.deepEqual(new AlertFiles(folder).list(), [fired]);
    assert.deepEqual(book.read(ID), fired);
    const [name = ""] = readdirSync(folder);
    if (process.platform !== "win32") assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  });

  const fired = { ...alert, round: 1, fired: { at: 5, price: 1e-8, isSeen: false } };

  it("lets one window claim the announcement of a firing until it is announced or the claim expires", () => {
    const other = new AlertFiles(folder);
    let now = Date.now();
    const claim = (by: AlertFiles): unknown => by.claimAnnouncement(fired, () => now);
    assert.equal(claim(book), "mine");
    const wait = Number(claim(other));
    assert.ok(wait > 0 && wait <= CLAIM_MS, `${wait} ms`);
    now += CLAIM_MS + 1000;
    assert.equal(claim(other), "mine", "the first window died or froze");
    assert.deepEqual(readdirSync(folder), [`telling-${ID}-0.0`, `telling-${ID}-0.1`]);
    other.recordAnnounced(fired);
    now += CLAIM_MS;
    assert.deepEqual(
      [claim(book), book.isAnnounced(fired), book.isAnnounced({ ...fired, round: 2 })],
      ["announced", true, false],
    );
    assert.equal(
      book.claimAnnouncement({ ...fired, round: 2 }, () => now),
      "mine",
      "the claim of another firing",
    );
    book.remove(ID);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("gives no claim to a process that froze during the claim", () => {
    let now = Date.now();
    const slow = (): number => (now += CLAIM_MS);
    assert.equal(book.claimAnnouncement(fired, slow), CLAIM_MS);
    assert.equal(
      book.claimAnnouncement(fired, () => now),
      "mine",
      "once that claim is old",
    );
  });

  it("does not wait for a claim from the future, because the clock was set back", () => {
    const now = Date.now();
    book.claimAnnouncement(fired, () => now);
    assert.equal(
      book.claimAnnouncement(fired, () => now - 3_600_000),
      "mine",
    );
  });

  it("keeps a record even if an older one cannot be removed", () => {
    mkdirSync(join(folder, `fired-${ID}-0`));
    book.recordAnnounced({ ...fired, round: 2 });
    assert.equal(book.isAnnounced({ ...fired, round: 2 }), true);
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
    writeFileSync(join(folder, "alert-00000000-0000-4000-8000-000000000002.json"), JSON.stringify(alert));
    assert.deepEqual(book.list(), [alert], "an alert under another name");
  });
});
