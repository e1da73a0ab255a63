import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AccountList } from "../../../../src/desk/accounts/accountList.ts";
import { practiceAccount } from "../../../../src/market/account.ts";
import { AccountFiles } from "../../../../src/storage/accountFiles.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const profile = { baseUrl: "https://api.example.com" };

describe("the accounts of this computer", () => {
  let folder: string;
  let errors: unknown[];
  let next = 0;
  beforeEach(() => {
    folder = join(temporaryFolder(), "new", "accounts");
    [errors, next] = [[], 0];
  });

  const newId = (): string => String((next += 1)).padStart(16, "0");
  const open = (): AccountList =>
    new AccountList(new AccountFiles(folder), newId, (error) => errors.push(error));

  it("have practice without a file, and any number of live ones that every window reads", () => {
    const list = open();
    const other = open();
    assert.deepEqual([list.get("practice"), list.live, list.last], [practiceAccount, [], undefined]);
    const main = list.add({ label: "Main", profile });
    assert.equal(main.kind, "live");
    list.choose(main);
    assert.deepEqual(other.live, []);
    other.reread();
    for (const read of [list, other, open()])
      assert.deepEqual([read.live, read.last], [[{ ...main, profile }], read.get(main.id)]);
    assert.equal(list.labelOf({ venue: "live", origin: "https://a.example", account: main.id }), "Main");
    assert.equal(list.labelOf({ venue: "practice", origin: "http://127.0.0.1:1" }), undefined);
    const { mode } = statSync(join(folder, `account-${main.id}.json`));
    if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
  });

  it("are listed with those chosen last first, then by label", () => {
    const list = open();
    const [main, , trading] = ["Main", "Savings", "Trading"].map((label) => list.add({ label, profile }));
    assert.deepEqual(
      list.byRecency.map(({ label }) => label),
      ["Practice", "Main", "Savings", "Trading"],
    );
    for (const account of [trading, main, practiceAccount, main]) if (account) list.choose(account);
    for (const each of [list, open()])
      assert.deepEqual(
        each.byRecency.map(({ label }) => label),
        ["Main", "Practice", "Trading", "Savings"],
      );
    list.remove(main?.id ?? "");
    assert.equal(list.last, practiceAccount);
  });

  it("keep what another window writes in the same instant", () => {
    const list = open();
    const main = list.add({ label: "Main", profile });
    const files = new AccountFiles(folder);
    let isInterrupted = false;
    // Another window adds, chooses and renames while this one writes.
    const put = files.put.bind(files);
    files.put = (stored) => {
      if (!isInterrupted) {
        isInterrupted = true;
        const other = open();
        other.choose(other.add({ label: "Savings", profile }));
      }
      put(stored);
    };
    new AccountList(files, newId, (error) => errors.push(error)).edit(main.id, { label: "Trading" });
    assert.ok(isInterrupted);
    const after = open();
    assert.deepEqual(
      [after.live.map(({ label }) => label), after.last?.label],
      [["Savings", "Trading"], "Savings"],
    );
  });

  it("have unique labels, and never that of practice", () => {
    const list = open();
    for (const label of ["Main", " Main ", "Practice", "Main"]) list.add({ label, profile });
    const [first] = list.live;
    list.edit(first?.id ?? "", { label: "Main" });
    assert.deepEqual(
      list.live.map(({ label }) => label),
      ["Main", "Main 2", "Main 3", "Practice 2"],
    );
  });

  it("forget a removed account, also as the last one", () => {
    const list = open();
    const main = list.add({ label: "Main", profile });
    list.choose(main);
    let changes = 0;
    list.onDidChange(() => (changes += 1));
    list.remove(main.id);
    assert.deepEqual([list.get(main.id), list.last, list.live, changes], [undefined, undefined, [], 1]);
  });

  it("leave a file alone that is damaged or of a newer version, count the latter, and use all others", () => {
    const list = open();
    const [main, savings] = ["Main", "Savings"].map((label) => list.add({ label, profile }));
    for (const [text, newer] of [
      ["{", 0],
      [JSON.stringify({ version: 2, ...main }), 1],
      [JSON.stringify({ version: 1, id: main?.id }), 0],
    ] as const) {
      const path = join(folder, `account-${main?.id}.json`);
      writeFileSync(path, text);
      list.reread();
      list.edit(main?.id ?? "", { label: "Other" });
      assert.deepEqual([list.live.map(({ id }) => id), list.newer], [[savings?.id], newer], text);
      assert.equal(readFileSync(path, "utf8"), text);
    }
  });

  it("stay if their folder cannot be read", () => {
    const list = open();
    list.add({ label: "Main", profile });
    rmSync(folder, { recursive: true });
    list.reread();
    assert.deepEqual([errors.length, list.live.length], [1, 1]);
    assert.throws(() => list.add({ label: "Savings", profile }));
  });
});
