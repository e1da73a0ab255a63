import assert from "node:assert/strict";
import fc from "fast-check";
import { FrameReader, frameOf, LARGEST_FRAME } from "../../../src/hub/frames.ts";

/** The values read from a stream that is split into chunks of the given lengths. */
function readInPieces(bytes: Buffer, lengths: readonly number[], limit = LARGEST_FRAME): unknown[] {
  const reader = new FrameReader(limit);
  const values: unknown[] = [];
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    values.push(...reader.read(bytes.subarray(start, start + length)));
    start += length;
  }
  return values;
}

describe("frames", () => {
  it("are read as they were written, for every division of the stream", () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), pieces, (values, lengths) => {
        const sent = values.map((value): unknown => JSON.parse(JSON.stringify(value)));
        const bytes = Buffer.concat(sent.map(frameOf));
        assert.deepEqual(readInPieces(bytes, lengths), sent);
      }),
    );
  });

  it("are one line each, for all texts in them", () => {
    const texts = ["\n", "\r\n", "\u2028\u2029", "{}\n{}", "ปลา\n"];
    for (const text of texts)
      assert.equal(frameOf({ [text]: text }).indexOf("\n"), frameOf({ [text]: text }).length - 1);
    assert.deepEqual(readInPieces(Buffer.concat(texts.map(frameOf)), [1]), texts);
  });

  it("are refused before their end arrives if they are longer than the limit", () => {
    assert.deepEqual(readInPieces(Buffer.from("true\n"), [3], 4), [true]);
    assert.throws(() => readInPieces(Buffer.from("false\n"), [3], 4), RangeError);
    assert.throws(() => readInPieces(Buffer.from("false"), [64], 4), RangeError);
    assert.throws(() => readInPieces(Buffer.from("1\nfalse"), [64], 4), RangeError);
    assert.throws(() => readInPieces(Buffer.alloc(LARGEST_FRAME + 1, " "), [65_536]), RangeError);
  });

  it("that are too long are not parsed, also if they are complete", () => {
    const reader = new FrameReader(8);
    const seen: unknown[] = [];
    assert.throws(() => {
      for (const value of reader.read(Buffer.from('1\n"too long for it"\n2\n'))) seen.push(value);
    }, RangeError);
    assert.deepEqual(seen, [1]);
  });

  it("that are torn are not read: only the end of a line completes a frame", () => {
    const whole = frameOf({ at: 123 });
    for (let length = 0; length < whole.length; length += 1)
      assert.deepEqual(readInPieces(whole.subarray(0, length), [64]), []);
    assert.throws(() => readInPieces(Buffer.concat([whole.subarray(0, 5), whole]), [64]), SyntaxError);
  });

  it("are refused if they are empty or not JSON", () => {
    for (const text of ["", " ", "x", "{", "\u0000", "NaN", '{"a":1}}', "1 2"])
      assert.throws(() => readInPieces(Buffer.from(`${text}\n`), [64]), SyntaxError);
  });

  it("of one chunk are read with the limit that the previous frame set", () => {
    const reader = new FrameReader(8);
    const seen: unknown[] = [];
    for (const value of reader.read(Buffer.concat([frameOf(1), frameOf("longer than eight bytes")]))) {
      seen.push(value);
      reader.limit = 64;
    }
    assert.deepEqual(seen, [1, "longer than eight bytes"]);
  });

  it("are never written longer than the limit", () => {
    assert.equal(frameOf("x".repeat(LARGEST_FRAME - 2)).length, LARGEST_FRAME + 1);
    assert.throws(() => frameOf("x".repeat(LARGEST_FRAME - 1)), RangeError);
  });
});
