import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { readProfile } from "../../src/exchange/profile.ts";
import { practiceProfile } from "../../src/practice/http/profile.ts";
import { profileSetting } from "../../src/ui/settings.ts";
import { exportProfile, importProfile } from "../../src/ui/venue/profileFiles.ts";
import { applySettings } from "../support/editorSettings.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const PROFILE = practiceProfile("https://api.example.com/v2");

describe("the commands for exchange profiles", () => {
  const { showOpenDialog, showSaveDialog, showWarningMessage } = vscode.window;
  const { showErrorMessage, showInformationMessage, setStatusBarMessage } = vscode.window;
  let folder: string;
  let logged: string[];

  beforeEach(() => {
    folder = temporaryFolder();
    logged = [];
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showOpenDialog, showSaveDialog, showWarningMessage });
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage, setStatusBarMessage });
    await applySettings();
  });

  /** Runs a command for a user who chooses this file and answers the modal with `button`. Returns all messages shown. */
  async function run(command: typeof importProfile, path: string, button?: string): Promise<string[]> {
    const messages: string[] = [];
    const file = vscode.Uri.file(path);
    const record = (text: string): Promise<undefined> => Promise.resolve(void messages.push(text));
    Object.assign(vscode.window, {
      showOpenDialog: () => Promise.resolve([file]),
      showSaveDialog: () => Promise.resolve(file),
      showWarningMessage: (text: string, { modal, detail }: vscode.MessageOptions, yes: string) => {
        assert.ok(modal === true && detail !== undefined);
        messages.push(text, ...detail.split("\n"));
        return Promise.resolve(yes === button ? yes : undefined);
      },
      showErrorMessage: record,
      showInformationMessage: record,
      setStatusBarMessage: (text: string) => void messages.push(text),
    });
    const line = (text: string): void => void logged.push(text);
    await command({ debug: line, info: line, warn: line, error: line });
    return messages;
  }

  function fileOf(content: unknown): string {
    const path = join(folder, "profile.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  }

  it("read a file, say what it does, and write the settings after confirmation", async () => {
    const messages = await run(importProfile, fileOf(PROFILE), "Import Profile");
    assert.equal(messages[0], "Use the exchange profile for api.example.com?");
    for (const line of [
      "Name in the file: Practice",
      "Address: https://api.example.com/v2",
      "You stay on the practice exchange until you switch.",
      "A profile contains no API key. A key entered for another address is never sent to this one.",
    ])
      assert.ok(messages.includes(line), `${line} in ${messages.join("\n")}`);
    const turnedOn = messages.find((line) => line.startsWith("It turns on: ")) ?? assert.fail();
    for (const part of ["Sell orders", "Cancelling orders", "Post-only orders"])
      assert.ok(turnedOn.includes(part), turnedOn);
    assert.equal(messages.at(-1), "The profile for api.example.com was imported.");
    const profile = readProfile(profileSetting());
    assert.ok(!Array.isArray(profile), JSON.stringify(profile));
    assert.equal(profile.baseUrl.href, "https://api.example.com/v2");
    assert.equal(profile.features.placeAsk?.path, "/api/market/place-ask");
    assert.equal(profile.features.postOnly, true);
  });

  it("write the settings to a file that restores the same settings, and say so", async () => {
    await run(importProfile, fileOf(PROFILE), "Import Profile");
    const before = profileSetting();
    const path = join(folder, "exported.json");
    assert.deepEqual(await run(exportProfile, path), [`Exchange profile exported, without a key: ${path}`]);
    const written = JSON.parse(readFileSync(path, "utf8")) as { bidsideProfile?: number };
    assert.equal(written.bidsideProfile, 1);
    await run(importProfile, fileOf({ ...PROFILE, features: {} }), "Import Profile");
    assert.notDeepEqual(profileSetting(), before);
    await run(importProfile, path, "Import Profile");
    assert.deepEqual(profileSetting(), before);
  });

  it("say that a file could not be written, and offer the log, which has the reason", async () => {
    await run(importProfile, fileOf(PROFILE), "Import Profile");
    const [text] = await run(exportProfile, folder);
    assert.equal(
      text,
      `The profile could not be written to ${folder}. Close it if another program uses it, or choose another folder.`,
    );
    assert.match(logged.at(-1) ?? "", /^Export Exchange Profile: ./);
  });
});
