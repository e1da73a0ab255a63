import assert from "node:assert/strict";
import fc from "fast-check";
import { BodyBuffer } from "../../../src/http/bodyBuffer.ts";

describe("a body received in pieces", () => {
  it("has the received bytes in their order, for every division into pieces", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc.nat(20_000).map((length) => new Uint8Array(length).fill(length % 251)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const gathered = new BodyBuffer();
        for (const each of pieces) {
          const given = Buffer.from(each);
          gathered.add(given);
          // A small chunk may share the stream's own memory, which the stream reuses.
          if (given.length < 4096) given.fill(0xff);
        }
        const expected = Buffer.concat(pieces);
        assert.equal(gathered.size, expected.length);
        assert.ok(gathered.bytes().equals(expected));
        assert.ok(gathered.bytes().equals(expected), "and again");
      }),
      { numRuns: 300 },
    );
  });

  it("takes no more memory than it needs, also if the bytes arrive one by one", () => {
    const gathered = new BodyBuffer();
    const before = process.memoryUsage().arrayBuffers;
    const slab = Buffer.alloc(64 * 1024);
    for (let at = 0; at < 1024 * 1024; at += 1)
      gathered.add(slab.subarray(at % slab.length, (at % slab.length) + 1));
    assert.equal(gathered.size, 1024 * 1024);
    assert.ok(process.memoryUsage().arrayBuffers - before < 3 * 1024 * 1024);
  });
});
