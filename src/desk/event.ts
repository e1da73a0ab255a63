/** An event and its listeners. The desk runs without an editor, so it has its own type of events. */
export class Event<T> {
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
