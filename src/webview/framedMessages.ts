export interface FramedMessagesOptions<Message> {
  /**
   * Messages of a stream that replace each other have the same key. Undefined: the message is not of a stream, and waits for no
   * frame.
   */
  readonly keyOf: (message: Message) => string | undefined;
  readonly handle: (message: Message) => void;
  /** Runs a task in the next animation frame. */
  readonly onFrame: (task: () => void) => void;
}

/**
 * The messages of a host in their order. However many messages of a stream come, the newest one of each key is handled once, in
 * the next animation frame. Any other message is handled at once, after those that came before it.
 */
export class FramedMessages<Message> {
  readonly #options: FramedMessagesOptions<Message>;
  readonly #waiting = new Map<string, Message>();
  #isFrameDue = false;

  constructor(options: FramedMessagesOptions<Message>) {
    this.#options = options;
  }

  take(message: Message): void {
    const { keyOf, handle, onFrame } = this.#options;
    const key = keyOf(message);
    if (key === undefined) {
      this.flush();
      handle(message);
      return;
    }
    // A message has the place of its own arrival, not that of the one before it.
    this.#waiting.delete(key);
    this.#waiting.set(key, message);
    if (this.#isFrameDue) return;
    this.#isFrameDue = true;
    onFrame(() => {
      this.#isFrameDue = false;
      this.flush();
    });
  }

  /** Handles the messages that wait for a frame, now. */
  flush(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const message of waiting) this.#options.handle(message);
  }
}
