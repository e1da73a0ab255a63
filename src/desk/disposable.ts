/** Something that can be released: an object with `dispose`, or a function that ends something, such as a listener. */
type Releasable = { dispose(): unknown } | (() => unknown);

/** An object that owns others, which are released with it, in the order of registration. */
export class Disposable {
  readonly #owned: Releasable[];
  #isDisposed = false;

  constructor(...owned: Releasable[]) {
    this.#owned = owned;
  }

  /** Registers objects and returns the first one. After `dispose`, they are released at once. */
  protected register<Owned extends Releasable>(owned: Owned, ...more: readonly Releasable[]): Owned {
    this.#owned.push(owned, ...more);
    if (this.#isDisposed) this.dispose();
    return owned;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const owned of this.#owned.splice(0)) {
      if (typeof owned === "function") owned();
      else owned.dispose();
    }
  }
}
