/** Those who want to know. A plain list: the desk knows no editor, and so none of its event types. */
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
