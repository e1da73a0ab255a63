import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDesktop } from "../../../tools/editor/findDesktop.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("The search for a desktop VS Code", () => {
  let home: string;

  beforeEach(() => {
    home = realpathSync(temporaryFolder());
  });

  const program = (...path: string[]): string => {
    const file = join(home, ...path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "");
    return file;
  };

  it("takes the editor that BIDSIDE_VSCODE names, and says so if that editor does not exist", () => {
    const named = program("own", "code");
    assert.equal(findDesktop({ platform: "linux", env: { BIDSIDE_VSCODE: named }, home }), named);
    const env = { BIDSIDE_VSCODE: join(home, "nowhere") };
    assert.throws(() => findDesktop({ platform: "linux", env, home }), /BIDSIDE_VSCODE names .*nowhere/);
  });

  it("follows the launcher on PATH to the program beside it", () => {
    const code = program("share", "code", "code");
    const launcher = program("share", "code", "bin", "code");
    mkdirSync(join(home, "bin"));
    symlinkSync(launcher, join(home, "bin", "code"));
    const env = { PATH: join(home, "bin"), DISPLAY: ":0" };
    assert.equal(findDesktop({ platform: "linux", env, home }), code);
  });

  it("finds no editor if no window can be shown", () => {
    program("share", "code", "code");
    program("share", "code", "bin", "code");
    const env = { PATH: join(home, "share", "code", "bin") };
    assert.equal(findDesktop({ platform: "linux", env, home }), undefined);
  });

  it("looks into the user's applications on a Mac", () => {
    const code = program("Applications", "Visual Studio Code.app", "Contents", "MacOS", "Electron");
    assert.equal(findDesktop({ platform: "darwin", env: {}, home }), code);
  });

  it("looks into the user's programs on Windows", () => {
    const code = program("Programs", "Microsoft VS Code", "Code.exe");
    assert.equal(findDesktop({ platform: "win32", env: { LOCALAPPDATA: home }, home }), code);
  });
});
