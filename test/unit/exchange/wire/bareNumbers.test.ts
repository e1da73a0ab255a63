import assert from "node:assert/strict";
import { withoutBareNumbers } from "../../../../src/exchange/wire/bareNumbers.ts";

describe("numbers that JSON does not have", () => {
  it("become unreadable values, wherever they are", () => {
    assert.deepEqual(JSON.parse(withoutBareNumbers('{"a":NaN,"b":[1,-Infinity,Infinity],"c":2}')), {
      a: "not a number",
      b: [1, "not a number", "not a number"],
      c: 2,
    });
    assert.equal(withoutBareNumbers("NaN"), '"not a number"');
  });

  it("leave texts and keys as they are", () => {
    for (const text of ['{"NaN":"Infinity \\" NaN","\\\\":"-NaN"}', '"NaN', '"\\"NaN', "{}", ""])
      assert.equal(withoutBareNumbers(text), text);
  });

  it("leave a text that is no JSON one that is none", () => {
    for (const text of ["xNaN", "NaNx", "--NaN", '{"a":NaN', "1Infinity"])
      assert.throws(() => JSON.parse(withoutBareNumbers(text)), SyntaxError, text);
  });

  it("are replaced in a time that grows with the text's length only", () => {
    for (const text of [`"${'\\"'.repeat(4_000_000)}NaN`, "-NaN".repeat(1_000_000)])
      assert.ok(withoutBareNumbers(text).length > 0);
  });
});
