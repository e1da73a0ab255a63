const BLOCK_BYTES = 16 * 1024;
/** Smaller chunks are copied, so that they do not retain the larger buffer that contains them. */
const SMALL_BYTES = BLOCK_BYTES / 4;

/**
 * Collects the bytes of a response without storing tiny chunks one by one: a server that sends a byte per chunk could
 * otherwise exhaust memory.
 */
export class BodyBuffer {
  readonly #pieces: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** The used length of the block, and the start of the part not yet in a piece. */
  #used = 0;
  #from = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (piece.length >= SMALL_BYTES) {
      this.#endPiece();
      this.#pieces.push(piece);
      return;
    }
    if (this.#used + piece.length > this.#block.length) {
      this.#endPiece();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#used = this.#from = 0;
    }
    this.#used += piece.copy(this.#block, this.#used);
  }

  bytes(): Buffer {
    this.#endPiece();
    return Buffer.concat(this.#pieces, this.#size);
  }

  #endPiece(): void {
    if (this.#used > this.#from) this.#pieces.push(this.#block.subarray(this.#from, this.#used));
    this.#from = this.#used;
  }
}
