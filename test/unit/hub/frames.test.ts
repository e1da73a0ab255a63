import assert from "node:assert/strict";
import fc from "fast-check";
import { FrameReader, frameOf, LARGEST_FRAME } from "../../../src/hub/frames.ts";

/** The values read from a stream cut into pieces of the given lengths, in turn. */
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

function headed(length: number, text: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  return Buffer.concat([head, Buffer.from(text)]);
}

describe("frames", () => {
  it("come out as they went in, however the stream is cut", () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), pieces, (values, lengths) => {
        const sent = values.map((value): unknown => JSON.parse(JSON.stringify(value)));
        const bytes = Buffer.concat(sent.map(frameOf));
        assert.deepEqual(readInPieces(bytes, lengths), sent);
      }),
    );
  });

  it("are refused after their head if they are empty or too long", () => {
    for (const length of [0, LARGEST_FRAME + 1, 0x7fffffff, 0xffffffff]) {
      assert.throws(() => readInPieces(headed(length, ""), [1]), RangeError);
    }
    assert.deepEqual(readInPieces(headed(4, "true"), [3], 4), [true]);
    assert.throws(() => readInPieces(headed(5, "false"), [3], 4), RangeError);
  });

  it("are refused when they are not JSON", () => {
    for (const text of ["x", "{", "\u0000", "NaN", '{"a":1}}']) {
      assert.throws(() => readInPieces(headed(text.length, text), [64]), SyntaxError);
    }
  });

  it("of one chunk are read with the limit that the one before left", () => {
    const reader = new FrameReader(8);
    const seen: unknown[] = [];
    for (const value of reader.read(Buffer.concat([frameOf(1), frameOf("longer than eight bytes")]))) {
      seen.push(value);
      reader.limit = 64;
    }
    assert.deepEqual(seen, [1, "longer than eight bytes"]);
  });

  it("are not made longer than they may be", () => {
    assert.equal(frameOf("x".repeat(LARGEST_FRAME - 2)).length, LARGEST_FRAME + 4);
    assert.throws(() => frameOf("x".repeat(LARGEST_FRAME - 1)), RangeError);
  });
});
