/** Largest text of one frame, in bytes. Longer messages are split. */
export const LARGEST_FRAME = 1024 * 1024;

const HEAD_BYTES = 4;

/**
 * A frame: the length of its text in bytes (big-endian, 32 bits), then the text, JSON in UTF-8. Throws if the text is
 * too long.
 */
export function frameOf(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  if (text.length > LARGEST_FRAME) throw new RangeError(`A frame of ${text.length} bytes is too long.`);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(text.length);
  return Buffer.concat([head, text]);
}

/** Assembles a stream of bytes into the framed values. Keeps one frame at most. */
export class FrameReader {
  /** Largest text of the next frame in bytes. A longer frame is refused before any of it is kept. */
  limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * The values that are complete. Throws at a frame that is empty, too long or not JSON; nothing can be read after
   * that.
   */
  *read(chunk: Buffer): Generator<unknown> {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      if (this.#length < HEAD_BYTES + length) return;
      const whole = this.#joined();
      const end = HEAD_BYTES + length;
      this.#pieces = whole.length > end ? [whole.subarray(end)] : [];
      this.#length = whole.length - end;
      yield JSON.parse(whole.toString("utf8", HEAD_BYTES, end));
    }
  }

  #nextLength(): number | undefined {
    if (this.#length < HEAD_BYTES) return undefined;
    const length = this.#joined(HEAD_BYTES).readUInt32BE();
    if (length === 0 || length > this.limit) throw new RangeError(`A frame of ${length} bytes is not read.`);
    return length;
  }

  /** All bytes in one piece, or the first piece if it has enough bytes. */
  #joined(needed = this.#length): Buffer {
    const [first] = this.#pieces;
    if (first && first.length >= needed) return first;
    const whole = Buffer.concat(this.#pieces);
    this.#pieces = [whole];
    return whole;
  }
}
