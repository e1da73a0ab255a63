import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AccountList } from "../../../../src/desk/accounts/accountList.ts";
import { practiceAccount } from "../../../../src/market/account.ts";
import { AccountFile } from "../../../../src/storage/accountFile.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const profile = { baseUrl: "https://api.example.com" };

describe("the accounts of this computer", () => {
  let path: string;
  let errors: unknown[];
  let next = 0;
  beforeEach(() => {
    path = join(temporaryFolder(), "new", "accounts.json");
    [errors, next] = [[], 0];
  });

  const newId = (): string => String((next += 1)).padStart(16, "0");
  const open = (): AccountList =>
    new AccountList(new AccountFile(path), newId, (error) => errors.push(error));

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
    if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it("keep what another window wrote in the meantime", () => {
    const [list, other] = [open(), open()];
    const main = list.add({ label: "Main", profile });
    other.add({ label: "Savings", profile });
    list.edit(main.id, { label: "Trading" });
    assert.deepEqual(
      open().live.map(({ label }) => label),
      ["Trading", "Savings"],
    );
  });

  it("have unique labels, and never that of practice", () => {
    const list = open();
    for (const label of ["Main", " Main ", "Practice", "Main"]) list.add({ label, profile });
    const [first] = list.live;
    list.edit(first?.id ?? "", { label: "Main" });
    assert.deepEqual(
      list.live.map(({ label }) => label),
      ["Main", "Main 2", "Practice 2", "Main 3"],
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

  it("stay as they are in a file that is damaged or of a newer version, which is not overwritten", () => {
    const list = open();
    list.add({ label: "Main", profile });
    for (const text of ["{", '{"version":2,"accounts":[]}', '{"version":1,"accounts":[{"id":"x"}]}']) {
      writeFileSync(path, text);
      errors.length = 0;
      list.reread();
      assert.deepEqual([errors.length, list.live.length], [1, 1], text);
      assert.throws(() => list.add({ label: "Savings", profile }));
      assert.equal(readFileSync(path, "utf8"), text);
    }
  });
});
