export interface FramedMessagesOptions<Message> {
  /**
   * Streamed messages with the same key replace each other. Undefined: the message is not streamed and is handled
   * immediately.
   */
  readonly keyOf: (message: Message) => string | undefined;
  readonly handle: (message: Message) => void;
  /** Runs a task in the next animation frame. */
  readonly onFrame: (task: () => void) => void;
}

/**
 * Handles the host's messages in order. Of streamed messages, only the latest of each key is handled, in the next animation
 * frame. Others are handled immediately, after any that arrived before them.
 */
export class FramedMessages<Message> {
  readonly #options: FramedMessagesOptions<Message>;
  readonly #waiting = new Map<string, Message>();

  constructor(options: FramedMessagesOptions<Message>) {
    this.#options = options;
  }

  receive(message: Message): void {
    const { keyOf, handle, onFrame } = this.#options;
    const key = keyOf(message);
    if (key === undefined) {
      this.flush();
      handle(message);
      return;
    }
    if (this.#waiting.size === 0) onFrame(() => this.flush());
    // Reinserts the key, so that a message is ordered by its own arrival.
    this.#waiting.delete(key);
    this.#waiting.set(key, message);
  }

  /** Handles pending messages now. */
  flush(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const message of waiting) this.#options.handle(message);
  }
}
