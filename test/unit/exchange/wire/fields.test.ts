import assert from "node:assert/strict";
import { timeOf } from "../../../../src/exchange/wire/fields.ts";
import { parseExact } from "../../../../src/exchange/wire/exactJson.ts";

describe("a time on the wire", () => {
  const at = Date.UTC(2023, 11, 13, 11, 19, 35, 120);
  const read = (json: string): number | undefined => timeOf(parseExact(json));

  it("is read in seconds, ms, µs and ns, as a number or text, by its magnitude", () => {
    for (const number of [
      "1702466375.12",
      "1702466375120",
      "1702466375120.4",
      "1702466375120000",
      "1702466375120999",
      "1702466375120000000",
    ]) {
      assert.equal(read(number), at, number);
      assert.equal(read(`"${number}"`), at, number);
    }
  });

  it("is read as ISO text that states its offset from UTC", () => {
    for (const text of [
      "2023-12-13T11:19:35.12Z",
      "2023-12-13T11:19:35.120999999Z",
      "2023-12-13 11:19:35.120Z",
      "2023-12-13T18:19:35.120+07:00",
      "2023-12-13T18:19:35.120+0700",
      "2023-12-13T11:19:35.120+00:00",
    ])
      assert.equal(timeOf(text), at, text);
  });

  it("is not read where it could mean several moments, or none", () => {
    for (const text of [
      "2023-12-13T11:19:35",
      "2023-12-13",
      "13/12/2023 11:19:35Z",
      "2023-13-13T11:19:35Z",
      "2023-02-30T11:19:35Z",
      "2023-12-13T25:19:35Z",
      "170246637512000000000",
      "0",
      "-1702466375",
      "0x5f",
      "1.702e12",
      "",
    ])
      assert.equal(timeOf(text), undefined, text);
    for (const other of [null, true, {}, [], undefined]) assert.equal(timeOf(other), undefined);
  });
});
