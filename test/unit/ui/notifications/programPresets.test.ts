import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChannelMessage } from "../../../../src/desk/notifications/message.ts";
import { runProgram } from "../../../../src/desk/notifications/program.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { programPresets } = await loadUi(() => import("../../../../src/ui/notifications/programPresets.ts"));

/** What a shell, AppleScript or PowerShell would run, expand, or end a text with. */
const ODD_PAIR = `--icon=x $(id) \`id\` "; display dialog 1 -- ' | calc & %PATH% $env:HOME \${price}`;

const message: ChannelMessage = {
  id: "alert-1",
  pair: ODD_PAIR,
  rule: "rises to 3,000,000.00",
  price: "3000001.5",
  time: "2026-11-28T08:00:00.000Z",
  text: `${ODD_PAIR} rose to 3,000,001.50 THB.`,
};

/** What the program of each preset gets: the name of the program, its arguments, and what is read from variables. */
const expected: Readonly<Record<string, readonly (readonly string[])[]>> = {
  linux: [
    ["notify-send", "--", "Bidside", message.text],
    ["paplay", "/usr/share/sounds/freedesktop/stereo/complete.oga"],
  ],
  darwin: [
    [
      "osascript",
      "-e",
      "on run argv",
      "-e",
      "display notification (item 2 of argv) with title (item 1 of argv)",
      "-e",
      "end run",
      "Bidside",
      message.text,
    ],
    ["afplay", "/System/Library/Sounds/Glass.aiff"],
  ],
  win32: [
    [
      "powershell",
      "-NoProfile",
      "-NonInteractive",
      "-Command",
      "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; " +
        "$icon = New-Object System.Windows.Forms.NotifyIcon; " +
        "$icon.Icon = [System.Drawing.SystemIcons]::Information; $icon.Visible = $true; " +
        "$icon.ShowBalloonTip(5000, 'Bidside', $env:BIDSIDE_TEXT, 'Info'); Start-Sleep 6; $icon.Dispose()",
    ],
    [
      "powershell",
      "-NoProfile",
      "-NonInteractive",
      "-Command",
      "[System.Media.SystemSounds]::Exclamation.Play(); Start-Sleep 1",
    ],
  ],
};

const RECORD = `require("fs").writeFileSync(__dirname + "/seen", JSON.stringify([process.argv.slice(2), process.env.BIDSIDE_TEXT]))`;

/** Runs a preset with a program in place of its own, and returns what that received. */
async function received([, ...args]: readonly string[]): Promise<unknown> {
  const folder = temporaryFolder();
  const recorder = join(folder, "record.cjs");
  writeFileSync(recorder, RECORD);
  assert.deepEqual(await runProgram([process.execPath, recorder, ...args], message), { kind: "sent" });
  return JSON.parse(readFileSync(join(folder, "seen"), "utf8"));
}

describe("the programs offered for alerts", () => {
  for (const [platform, programs] of Object.entries(expected)) {
    const presets = programPresets(platform);
    for (const [index, { label, program }] of presets.entries())
      it(`get the message as one argument or variable, however odd the pair is: ${label} on ${platform}`, async () => {
        const [name, ...args] = programs[index] ?? assert.fail("not expected");
        assert.equal(program[0], name);
        assert.deepEqual(await received(program), [args, message.text]);
      });
  }

  it("are a notification and a sound on each system, and on others those of Linux", () => {
    for (const [platform, programs] of Object.entries(expected))
      assert.deepEqual([programPresets(platform).length, programs.length], [2, 2]);
    assert.deepEqual(programPresets("freebsd"), programPresets("linux"));
  });
});
