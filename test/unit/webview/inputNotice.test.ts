import assert from "node:assert/strict";
import { reportInput } from "../../../src/webview/inputNotice.ts";

describe("input in a page", () => {
  it("is reported to the host at once, and then at most every 20 s, for every kind of input", () => {
    const page = new EventTarget();
    let [now, reports] = [0, 0];
    reportInput(
      page,
      () => (reports += 1),
      () => now,
    );
    assert.equal(reports, 0);
    for (const type of ["keydown", "pointermove", "pointerdown", "wheel"])
      page.dispatchEvent(new Event(type));
    assert.equal(reports, 1);
    now = 19_999;
    page.dispatchEvent(new Event("keydown"));
    assert.equal(reports, 1);
    now = 20_000;
    for (const type of ["wheel", "keydown"]) page.dispatchEvent(new Event(type));
    assert.equal(reports, 2);
  });
});
