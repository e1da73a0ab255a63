import assert from "node:assert/strict";
import { mayRepeat, readFrame } from "../../../../src/exchange/stream/frames.ts";

const bounds = { longest: 100, deepest: 2 };

describe("A frame", () => {
  it("is read as the value of its JSON", () => {
    for (const value of [
      {},
      { a: 1, b: "[[[{{{" },
      { a: [1, 2] },
      [],
      [[1]],
      5,
      "a",
      { a: 'quote " and \\' },
    ])
      assert.deepEqual(readFrame(JSON.stringify(value), bounds), value);
  });

  it("that is not JSON is ignored", () => {
    for (const text of ["", "{", "hello", "<html>", '{"a":1}x', "{'a':1}", '{"a":NaN}', '"'])
      assert.equal(readFrame(text, bounds), undefined, text);
  });

  it("of more characters or levels than its bounds is not parsed", () => {
    assert.notEqual(readFrame(`"${"a".repeat(98)}"`, bounds), undefined);
    assert.equal(readFrame(`"${"a".repeat(99)}"`, bounds), undefined);
    assert.equal(readFrame('{"a":[[1]]}', bounds), undefined);
    assert.equal(readFrame("[[[1]]]", bounds), undefined);
    assert.equal(
      readFrame(`${"[".repeat(100_000)}${"]".repeat(100_000)}`, { longest: 1e6, deepest: 50 }),
      undefined,
    );
  });

  it("may repeat a key if the key is in its text twice", () => {
    assert.equal(mayRepeat('{"last":1,"id":2}', ["last", "id"]), false);
    assert.equal(mayRepeat('{"last":1,"last":2}', ["id", "last"]), true);
    assert.equal(mayRepeat('{"blast":1,"last":2}', ["last"]), false);
  });
});
