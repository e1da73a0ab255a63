import assert from "node:assert/strict";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { diskAdvice } = await loadUi(() => import("../../../../src/ui/text/diskText.ts"));

describe("advice for a file that could not be written", () => {
  const of = (code: string): string => {
    const cause = Object.assign(new Error(code), { code });
    return diskAdvice(new Error("The order could not be recorded.", { cause }));
  };

  it("names the cause: a full disk, a file in use, a missing permission", () => {
    assert.match(of("ENOSPC"), /^The disk is full/);
    assert.match(of("EDQUOT"), /^The disk is full/);
    assert.match(of("EBUSY"), /^Another program is using/);
    assert.match(of("EACCES"), /no permission .* or another program/);
    assert.match(of("EPERM"), /no permission .* or another program/);
    assert.match(of("EROFS"), /read-only/);
  });

  it("names the usual causes for any other error", () => {
    assert.match(of("EIO"), /^Free some disk space, or allow/);
    assert.match(diskAdvice("no error"), /^Free some disk space, or allow/);
  });
});
