/** Maximum frame size in bytes, without the line feed. Longer messages are split. */
export const LARGEST_FRAME = 1024 * 1024;

const END = 0x0a;

/** Encodes a frame: one line of UTF-8 JSON. Throws if it is too long. */
export function frameOf(value: unknown): Buffer {
  const frame = Buffer.from(`${JSON.stringify(value)}\n`);
  if (frame.length > LARGEST_FRAME + 1) throw new RangeError(`A frame of ${frame.length} bytes is too long.`);
  return frame;
}

/** Decodes a byte stream into values. Buffers at most one frame. */
export class FrameReader {
  /** Maximum size of the next frame in bytes, without the line feed. Longer frames are neither buffered nor parsed. */
  limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Yields the completed values. Throws on a frame that is too long or not JSON; the stream is unusable after that. */
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
