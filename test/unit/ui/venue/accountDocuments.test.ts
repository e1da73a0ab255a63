import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { AccountList } from "../../../../src/desk/accounts/accountList.ts";
import { writeProfileFile } from "../../../../src/exchange/profileFile.ts";
import { draftOf } from "../../../../src/exchange/profile.ts";
import { practiceAccount } from "../../../../src/market/account.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";
import { bringToFront, loadUi, WindowParts } from "../../../support/fakes/vscode.ts";

const { accountDocument, registerAccountDocuments } = await loadUi(
  () => import("../../../../src/ui/venue/accountDocuments.ts"),
);

const profile = { baseUrl: "https://api.example.com", headerPrefix: "X-EXAMPLE-" };
const depth = { method: "GET", path: "/depth", envelope: "B" };

describe("the document of an account", () => {
  let accounts: AccountList;
  let files: vscode.FileSystemProvider;
  let uri: vscode.Uri;
  let changes: vscode.Uri[];

  beforeEach(() => {
    accounts = accountsOf();
    uri = accountDocument(accounts.add({ label: "Main", profile }));
    const parts = new WindowParts();
    bringToFront(parts);
    registerAccountDocuments(accounts);
    files = parts.fileSystem ?? assert.fail();
    changes = [];
    files.onDidChangeFile((events) => changes.push(...events.map((event) => event.uri)));
  });

  const textOf = async (): Promise<string> => Buffer.from(await files.readFile(uri)).toString();
  const save = async (text: string): Promise<void> =>
    files.writeFile(uri, Buffer.from(text), { create: false, overwrite: true });
  const saveWith = async (part: Readonly<Record<string, unknown>>): Promise<void> =>
    save(JSON.stringify({ ...(JSON.parse(await textOf()) as object), ...part }, undefined, 2));

  it("is a profile file with the account's name, without its id or key", async () => {
    assert.equal(await textOf(), writeProfileFile(draftOf(profile), "Main"));
    assert.equal(uri.path, "/Main.json");
    assert.doesNotMatch(await textOf(), new RegExp(accounts.live[0]?.id ?? "^"));
  });

  it("changes name and profile of the account when it is saved, and is read again", async () => {
    const before = await files.stat(uri);
    await saveWith({ name: "Savings", historyPath: "/history", features: { depth } });
    const [account] = accounts.live;
    assert.equal(account?.label, "Savings");
    assert.deepEqual(account.profile, draftOf({ ...profile, historyPath: "/history", features: { depth } }));
    assert.equal(JSON.parse(await textOf()).name, "Savings", "the document is still that of this account");
    assert.deepEqual([changes, (await files.stat(uri)).mtime === before.mtime], [[uri], false]);
  });

  it("is always that of the account whose name it has", async () => {
    await saveWith({ name: "Savings" });
    const other = accounts.add({ label: "Main", profile: { ...profile, historyPath: "/other" } });
    await saveWith({ historyPath: "/new" });
    assert.deepEqual(
      accounts.live.map(({ id, label, profile: { historyPath } }) => [id === other.id, label, historyPath]),
      [
        [true, "Main", "/new"],
        [false, "Savings", ""],
      ],
    );
  });

  const mistakes: [what: string, part: Readonly<Record<string, unknown>>, text: RegExp][] = [
    [
      "an insecure address",
      { baseUrl: "http://api.example.com" },
      /^Line 4: The API address must begin with/,
    ],
    ["an unknown field", { secret: "s" }, /^Line 10: secret is not part of a profile/],
    [
      "a feature without its path",
      { features: { depth: { method: "GET", envelope: "B" } } },
      /^Line 10: depth\.path/,
    ],
    [
      "a feature of a wrong kind",
      { features: { depth: { ...depth, envelope: "D" } } },
      /^Line 13: depth\.envelope/,
    ],
    ["a wrong path", { paths: { wallet: { method: "PUT" } } }, /^Line 7: wallet/],
    [
      "two endpoints at one path",
      { features: { depth, trades: depth } },
      /^Line 15: trades and depth have the same path/,
    ],
  ];
  for (const [what, part, text] of mistakes) {
    it(`is rejected with the line of ${what}, and the account stays as it was`, async () => {
      const before = accounts.live;
      await assert.rejects(
        saveWith(part),
        (error: Error) => text.test(error.message) || assert.fail(error.message),
      );
      assert.equal(accounts.live, before);
    });
  }

  it("is rejected if it is not JSON, without an invented line", async () => {
    await assert.rejects(save("{"), { message: "It is not JSON." });
  });

  it("can be neither made nor removed as a file, and ends with its account", async () => {
    for (const attempt of [
      () => files.delete(uri, { recursive: false }),
      () => files.rename(uri, uri, { overwrite: true }),
      () => files.createDirectory(uri),
      () => files.readFile(accountDocument(practiceAccount)),
    ])
      await assert.rejects(async () => attempt());
    accounts.remove(accounts.live[0]?.id ?? assert.fail());
    await assert.rejects(textOf());
  });
});
