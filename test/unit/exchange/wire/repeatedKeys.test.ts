import assert from "node:assert/strict";
import fc from "fast-check";
import { repeatedKeys } from "../../../../src/exchange/wire/repeatedKeys.ts";

describe("repeated keys in a JSON text", () => {
  it("are found at any depth, each with its path", () => {
    const text = '{"a":1,"b":[{"x":1},{"x":1,"y":{},"x":2}],"a":2,"c":{"a":1},"a":3}';
    assert.deepEqual(repeatedKeys(text), [["b", 1, "x"], ["a"], ["a"]]);
  });

  it("are found in every escaped spelling, with any blanks around them", () => {
    assert.deepEqual(repeatedKeys('{"error" : 0 ,\n "\\u0065rror"\t:18}'), [["error"]]);
    assert.deepEqual(repeatedKeys('{"a\\"b":0,"a\\"b":1}'), [['a"b']]);
    assert.deepEqual(repeatedKeys('{"a\\\\":0,"a\\\\":1}'), [["a\\"]]);
    assert.deepEqual(repeatedKeys('{"__proto__":0,"__proto__":1}'), [["__proto__"]]);
  });

  it("are not confused with strings, other objects or places in a list", () => {
    for (const text of [
      '{"a":"{\\"a\\":1,\\"a\\":2}","b":"a"}',
      '[{"a":1},{"a":1},"a","a",[],["a","a"]]',
      '{"a":{"a":{"a":["a",{"a":1}]}}}',
      '"a"',
      "12",
      "null",
      "{}",
      "[[],{},[]]",
    ])
      assert.deepEqual(repeatedKeys(text), [], text);
  });

  it("are found in any text with an additional key, and in no text of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), fc.jsonValue(), (json, key, value) => {
        assert.deepEqual(repeatedKeys(json), []);
        const once = `{${JSON.stringify(key)}:${JSON.stringify(value)},"list":[${json}]`;
        const isRepeated = repeatedKeys(`${once},${JSON.stringify(key)}:${json}}`);
        assert.deepEqual(isRepeated, key === "list" ? [["list"], ["list"]] : [[key]]);
      }),
    );
  });
});
