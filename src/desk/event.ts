/** A plain list of listeners, because the desk does not know the editor and its event types. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Adds a listener; the returned function removes it. */
  readonly add = (listener: (value: T) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
