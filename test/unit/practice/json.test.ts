import assert from "node:assert/strict";
import { readObject } from "../../../src/practice/http/wire.ts";
import { JsonNumber } from "../../../src/practice/json.ts";

const read = (text: string): unknown => readObject(Buffer.from(text));

describe("The body of a request to the practice exchange", () => {
  it("keeps the digits of its numbers", () => {
    assert.deepEqual(read('{"amt":1000.00,"rat":9007199254740993,"typ":"limit"}'), {
      fields: { amt: new JsonNumber("1000.00"), rat: new JsonNumber("9007199254740993"), typ: "limit" },
    });
  });

  for (const text of ['{"amt":1,"sym":"x","amt":2}', '{"amt":1,"\\u0061mt" : 2}'])
    it(`is rejected if a field occurs twice: ${text}`, () => {
      assert.deepEqual(read(text), { problem: "The body has the field amt twice." });
    });

  it("may repeat a field's name in a value", () => {
    assert.deepEqual(read('{"sym":"\\",\\"amt\\":","amt":"sym","typ":"amt"}'), {
      fields: { sym: '","amt":', amt: "sym", typ: "amt" },
    });
  });

  for (const text of ["", "[]", "1", "null", '"amt"', '{"amt":1', "\ufeff{}"])
    it(`is rejected unless it is one object: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(read(text), { problem: "The body must be one JSON object." });
    });
});
