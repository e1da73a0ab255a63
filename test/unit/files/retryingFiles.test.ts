import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../../src/files/atomicFiles.ts";
import { retryingFiles } from "../../../src/files/retryingFiles.ts";
import { systemWith } from "../../support/fakes/operatingSystem.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const CALLS = ["openSync", "readFileSync", "renameSync", "rmSync", "writeFileSync"] as const;

function failing(code: string): never {
  throw Object.assign(new Error(`${code}: a file in use`), { code });
}

/** Files whose given call fails until a time, on a clock that only waiting moves. */
function setUp(call: (typeof CALLS)[number], code: string, untilMs: number) {
  const clock = { ms: 0 };
  const { files } = systemWith({});
  const real: (...given: never[]) => unknown = files[call];
  const busy = (...given: never[]): unknown => (clock.ms < untilMs ? failing(code) : real(...given));
  const { files: faulty } = systemWith({ [call]: busy });
  const retrying = retryingFiles(faulty, (ms) => void (clock.ms += ms));
  return { clock, os: systemWith(retrying) };
}

describe("a file that another program uses for a moment", () => {
  let folder: string;
  beforeEach(() => void (folder = temporaryFolder()));

  for (const call of ["renameSync", "writeFileSync"] as const)
    for (const code of ["EBUSY", "EPERM", "EACCES"])
      it(`is replaced once ${call} no longer fails with ${code}`, () => {
        const path = join(folder, "a");
        const { clock, os } = setUp(call, code, 900);
        replaceFile(path, "new", os);
        assert.equal(readFileSync(path, "utf8"), "new");
        assert.ok(clock.ms >= 900 && clock.ms <= 1000);
      });

  it("is opened once it is free", () => {
    const { os } = setUp("openSync", "EBUSY", 500);
    const { files } = os;
    files.closeSync(files.openSync(join(folder, "a"), "ax", 0o600));
    assert.deepEqual(files.readdirSync(folder), ["a"]);
  });

  it("is read and removed once it is free", () => {
    const path = join(folder, "a");
    replaceFile(path, "one", systemWith({}));
    assert.equal(String(setUp("readFileSync", "EBUSY", 500).os.files.readFileSync(path)), "one");
    setUp("rmSync", "EPERM", 500).os.files.rmSync(path, { force: true });
    assert.ok(!existsSync(path));
  });

  it("is given up after a second", () => {
    const { clock, os } = setUp("renameSync", "EPERM", 1e9);
    assert.throws(() => replaceFile(join(folder, "a"), "new", os), { code: "EPERM" });
    assert.equal(clock.ms, 1000);
    assert.deepEqual(os.files.readdirSync(folder), []);
  });

  it("is not waited for after any other error", () => {
    for (const code of ["ENOSPC", "ENOENT", "EEXIST", "EROFS"]) {
      const { clock, os } = setUp("openSync", code, 1e9);
      assert.throws(() => os.files.openSync(join(folder, "a"), "ax"), { code });
      assert.equal(clock.ms, 0);
    }
  });
});
