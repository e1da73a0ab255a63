import assert from "node:assert/strict";
import { personFolder, type PersonFolderOptions } from "../../../src/files/personFolder.ts";

const linux: PersonFolderOptions = {
  platform: "linux",
  env: {},
  home: "/home/ann",
  scheme: "vscode",
  name: "Visual Studio Code",
};

describe("the user's data folder", () => {
  it("is where each system keeps the data of programs", () => {
    assert.equal(personFolder(linux), "/home/ann/.local/share/bidside/vscode");
    assert.equal(
      personFolder({ ...linux, platform: "darwin", home: "/Users/ann" }),
      "/Users/ann/Library/Application Support/Bidside/vscode",
    );
    const windows = { ...linux, platform: "win32", home: "C:\\Users\\ann" };
    const roaming = "D:\\Profiles\\ann\\Roaming";
    assert.equal(personFolder({ ...windows, env: { APPDATA: roaming } }), `${roaming}\\Bidside\\vscode`);
    assert.equal(personFolder(windows), "C:\\Users\\ann\\AppData\\Roaming\\Bidside\\vscode");
  });

  it("follows XDG_DATA_HOME, unless its path is relative or a snap has set it", () => {
    const at = (env: PersonFolderOptions["env"]): string => personFolder({ ...linux, env });
    assert.equal(at({ XDG_DATA_HOME: "/data/ann" }), "/data/ann/bidside/vscode");
    assert.equal(at({ XDG_DATA_HOME: "data" }), "/home/ann/.local/share/bidside/vscode");
    const snap = "/home/ann/snap/code/97/.local/share";
    assert.equal(
      at({ XDG_DATA_HOME: snap, XDG_DATA_HOME_VSCODE_SNAP_ORIG: "" }),
      "/home/ann/.local/share/bidside/vscode",
    );
    assert.equal(
      at({ XDG_DATA_HOME: snap, XDG_DATA_HOME_VSCODE_SNAP_ORIG: "/data/ann" }),
      "/data/ann/bidside/vscode",
    );
  });

  it("stays on the stick of a portable editor", () => {
    assert.equal(
      personFolder({ ...linux, env: { VSCODE_PORTABLE: "/stick/data" } }),
      "/stick/data/bidside/vscode",
    );
  });

  it("differs for each editor product, whatever its name contains", () => {
    const product = (scheme: string, name = ""): string =>
      personFolder({ ...linux, scheme, name }).slice("/home/ann/.local/share/bidside/".length);
    assert.deepEqual(
      [
        product("vscode-insiders"),
        product("", "Code - OSS"),
        product("../../etc"),
        product("", "編集"),
        product("..", "."),
      ],
      ["vscode-insiders", "Code-OSS", "etc", "editor", "editor"],
    );
  });
});
