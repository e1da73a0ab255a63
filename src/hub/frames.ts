/** Largest frame in bytes, without its end. Longer messages are split. */
export const LARGEST_FRAME = 1024 * 1024;

const END = 0x0a;

/** A frame: one line of JSON in UTF-8, ended by a line feed. Throws if the line is too long. */
export function frameOf(value: unknown): Buffer {
  const frame = Buffer.from(`${JSON.stringify(value)}\n`);
  if (frame.length > LARGEST_FRAME + 1) throw new RangeError(`A frame of ${frame.length} bytes is too long.`);
  return frame;
}

/** Assembles a stream of bytes into the framed values. Keeps one frame at most. */
export class FrameReader {
  /** Largest next frame in bytes, without its end. Of a longer frame, no more than this is kept, and none is parsed. */
  limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The values that are complete. Throws at a frame that is too long or not JSON; nothing can be read after that. */
  *read(chunk: Buffer): Generator<unknown> {
    let rest = chunk;
    for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END)) {
      this.#keep(rest.subarray(0, end));
      const line = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      yield JSON.parse(line.toString());
    }
    this.#keep(rest);
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.limit) throw new RangeError(`A frame of over ${this.limit} bytes is not read.`);
    this.#pieces.push(piece);
  }
}
