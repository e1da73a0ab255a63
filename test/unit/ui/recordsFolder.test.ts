import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import { loadUi, shownMessages, Uri } from "../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const { recordsFolder } = await loadUi(() => import("../../../src/ui/recordsFolder.ts"));

describe("the folder of the user's records", () => {
  const dataHome = process.env["XDG_DATA_HOME"];
  let folder: string;
  const logged: string[] = [];
  const log = { warn: (line: string) => logged.push(line) } as unknown as vscode.LogOutputChannel;
  const place = () =>
    recordsFolder(
      { globalStorageUri: Uri.file(join(folder, "editor")) } as unknown as vscode.ExtensionContext,
      log,
    );

  beforeEach(() => {
    folder = temporaryFolder();
    process.env["XDG_DATA_HOME"] = join(folder, "data");
    shownMessages.length = 0;
    logged.length = 0;
  });
  afterEach(() => {
    if (dataHome === undefined) delete process.env["XDG_DATA_HOME"];
    else process.env["XDG_DATA_HOME"] = dataHome;
  });

  it("is the user's data folder, private to the user", () => {
    const storage = join(folder, "data", "bidside", "fake");
    assert.equal(place(), storage);
    assert.equal(statSync(storage).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(storage), []);
    assert.deepEqual([shownMessages, logged], [[], []]);
  });

  it("falls back to the editor's folder if the data folder is not writable, with a warning that names both", () => {
    writeFileSync(join(folder, "data"), "a file where the folder would be");
    assert.equal(place(), join(folder, "editor"));
    const [warning] = shownMessages;
    assert.equal(warning?.how, "warning");
    assert.match(
      warning.text,
      /cannot write to .*bidside.fake, so orders, .* stay in .*editor\. The editor deletes/,
    );
    assert.equal(logged.length, 1);
    assert.equal(existsSync(join(folder, "data", "bidside")), false);
  });
});
