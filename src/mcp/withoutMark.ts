import { type Readable, Transform } from "node:stream";

const MARK = Buffer.from("\uFEFF");

/** Strips the UTF-8 byte order mark that some programs write at the start of a stream. */
export function withoutMark(input: Readable): Readable {
  let start: Buffer | undefined = Buffer.alloc(0);
  return input.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (!start) return done(null, chunk);
        start = Buffer.concat([start, chunk]);
        if (start.length < MARK.length && MARK.subarray(0, start.length).equals(start)) return done();
        const rest = start.subarray(0, MARK.length).equals(MARK) ? start.subarray(MARK.length) : start;
        start = undefined;
        done(null, rest);
      },
    }),
  );
}
