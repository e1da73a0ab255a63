import assert from "node:assert/strict";
import { userDataFolder, type UserDataFolderOptions } from "../../../src/files/userDataFolder.ts";

const linux: UserDataFolderOptions = {
  platform: "linux",
  env: {},
  home: "/home/ann",
  scheme: "vscode",
  name: "Visual Studio Code",
};

describe("the user's data folder", () => {
  it("is where each system keeps the data of programs", () => {
    assert.equal(userDataFolder(linux), "/home/ann/.local/share/bidside/vscode");
    assert.equal(
      userDataFolder({ ...linux, platform: "darwin", home: "/Users/ann" }),
      "/Users/ann/Library/Application Support/Bidside/vscode",
    );
    const windows = { ...linux, platform: "win32", home: "C:\\Users\\ann" };
    const roaming = "D:\\Profiles\\ann\\Roaming";
    assert.equal(userDataFolder({ ...windows, env: { APPDATA: roaming } }), `${roaming}\\Bidside\\vscode`);
    assert.equal(userDataFolder(windows), "C:\\Users\\ann\\AppData\\Roaming\\Bidside\\vscode");
  });

  it("follows XDG_DATA_HOME, unless its path is relative or a snap has set it", () => {
    const at = (env: UserDataFolderOptions["env"]): string => userDataFolder({ ...linux, env });
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
      userDataFolder({ ...linux, env: { VSCODE_PORTABLE: "/stick/data" } }),
      "/stick/data/bidside/vscode",
    );
  });

  it("differs for each editor product, whatever its name contains", () => {
    const product = (scheme: string, name = ""): string =>
      userDataFolder({ ...linux, scheme, name }).slice("/home/ann/.local/share/bidside/".length);
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
