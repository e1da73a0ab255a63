import assert from "node:assert/strict";
import { thisSystem } from "../../../src/files/operatingSystem.ts";
import { machineText } from "../../../src/files/machine.ts";
import { systemWith } from "../../support/fakes/operatingSystem.ts";

/** A Linux computer: its installation's id, and the namespace of a container. */
function linux(id: string | undefined, namespace: string, uid = 1000) {
  const { files } = systemWith({
    readFileSync: () => (id === undefined ? assert.fail("no such file") : Buffer.from(`${id}\n`)),
    readlinkSync: () => namespace,
  });
  return { files, platform: "linux", uid };
}

describe("the identity of a computer for its windows", () => {
  it("is the same at each start, and does not contain the host's name, which a network can change", () => {
    const reads: string[] = [];
    const { files } = systemWith({
      readFileSync: (path) => {
        reads.push(path);
        return thisSystem.files.readFileSync(path);
      },
    });
    const text = machineText({ ...thisSystem, files });
    assert.equal(machineText(thisSystem), text);
    assert.ok(reads.every((path) => path === "/etc/machine-id"));
    const mac = { ...thisSystem, platform: "darwin", uid: 501 };
    assert.equal(machineText(mac), "darwin 501");
  });

  it("differs for computers and containers that share a home folder, and for users", () => {
    const texts = [
      linux("a1", "uts:[1]"),
      linux("b2", "uts:[1]"),
      linux("a1", "uts:[2]"),
      linux(undefined, "uts:[2]"),
      linux("a1", "uts:[1]", 0),
    ].map(machineText);
    assert.equal(new Set(texts).size, 5);
  });
});
