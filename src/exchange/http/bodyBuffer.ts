const BLOCK_BYTES = 16 * 1024;
/** A smaller piece is copied, so that it keeps only its own bytes in memory. */
const SMALL_BYTES = BLOCK_BYTES / 4;

/**
 * Collects the bytes of an answer. A server may send each byte in a chunk of its own: kept one by one, they would
 * fill the memory.
 */
export class BodyBuffer {
  readonly #pieces: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** The used length of the block, and the start of the part that is in no piece yet. */
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

  /** All bytes in one buffer. */
  bytes(): Buffer {
    this.#endPiece();
    return Buffer.concat(this.#pieces, this.#size);
  }

  #endPiece(): void {
    if (this.#used > this.#from) this.#pieces.push(this.#block.subarray(this.#from, this.#used));
    this.#from = this.#used;
  }
}
