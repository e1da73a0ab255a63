import { type Readable, Transform } from "node:stream";

const NEWLINE = 0x0a;
/** `[`, and the blanks that may precede it. */
const BATCH = /^[ \t]*\[/;

/**
 * Splits batches, which the protocol had until 2025-03-26 and the SDK does not read, into one message per line. Each request
 * gets a response of its own, with its id.
 */
export function withoutBatches(input: Readable): Readable {
  let rest = Buffer.alloc(0);
  return input.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        rest = Buffer.concat([rest, chunk]);
        const end = rest.lastIndexOf(NEWLINE) + 1;
        for (const line of rest.toString("utf8", 0, end).split(/(?<=\n)/)) this.push(split(line));
        rest = rest.subarray(end);
        done();
      },
    }),
  );
}

/** The messages of a line, each on its own; the line itself if it is not a batch. */
function split(line: string): string {
  if (!BATCH.test(line)) return line;
  try {
    const messages: unknown = JSON.parse(line);
    if (!Array.isArray(messages)) return line;
    return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  } catch {
    return line;
  }
}
