/** Something that can be released: an object with `dispose`, or a function that ends something, such as a listener. */
type Releasable = { dispose(): unknown } | (() => unknown);

/** Base of an object that owns others: registered objects are released with it, in order of registering. */
export class Disposable {
  readonly #owned: Releasable[] = [];
  #isDisposed = false;

  /** Returns `owned`. An object that is loaded after this one was released is released at once. */
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
