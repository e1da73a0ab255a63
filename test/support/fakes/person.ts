// The user at the fake editor: messages received, texts typed, and answers to picks and boxes.

export class Disposable {
  readonly #callOnDispose: () => unknown;

  static from(...parts: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  constructor(callOnDispose: () => unknown) {
    this.#callOnDispose = callOnDispose;
  }

  dispose(): void {
    this.#callOnDispose();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Calls of window and commands, oldest first, for a test to check and clear; `more` has all arguments besides the text. */
export const shownMessages: {
  readonly how: string;
  readonly text: string;
  readonly more: string;
  readonly placeholder?: string | undefined;
}[] = [];

/** The input boxes that were shown, oldest first. */
export function inputBoxes(): readonly { readonly value: string; readonly prompt: string }[] {
  return shownMessages.filter(({ how }) => how === "input box").map(({ more }) => JSON.parse(more));
}

/** Answers to the next input boxes. A box that shows a problem does not accept its answer. */
export const typed: string[] = [];

/** Answers dialogs with an offered button or choice, or cancels them. */
export const person: {
  choose: (offered: readonly string[]) => string | undefined;
  /** The path chosen in a file dialog; undefined: it is cancelled. */
  file: string | undefined;
  /** Typed into each pick before an item is chosen. */
  search: string;
} = {
  choose: () => undefined,
  file: undefined,
  search: "",
};

/** A pick or input box: once shown, the user answers or cancels it. */
class HollowInput {
  title: string | undefined;
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = new EventEmitter<never>().event;

  accept(): void {
    this.#accepted.fire();
  }

  hide(): void {
    this.#hidden.fire();
  }

  dispose(): void {}
}

interface Choice {
  readonly label: string;
}

export class HollowPick extends HollowInput {
  /** Waits for items that are still loading. */
  busy = false;
  /** The choice toggles one of the checked items. */
  canSelectMany = false;
  selectedItems: readonly Choice[] = [];
  activeItems: readonly Choice[] = [];
  placeholder: string | undefined;
  value = "";
  readonly onDidTriggerItemButton = new EventEmitter<never>().event;
  readonly #changed = new EventEmitter<string>();
  /** Its entries follow the typed text. */
  #isTyped = false;
  #items: readonly Choice[] = [];
  #isShown = false;

  get items(): readonly Choice[] {
    return this.#items;
  }

  set items(items: readonly Choice[]) {
    this.#items = items;
    if (this.#isShown) this.#offer();
  }

  onDidChangeValue(listener: (value: string) => unknown): Disposable {
    this.#isTyped = true;
    return this.#changed.event(listener);
  }

  show(): void {
    if (person.search !== "") this.type(person.search);
    this.#isShown = true;
    this.#offer();
  }

  type(text: string): void {
    this.value = text;
    this.#changed.fire(text);
  }

  #offer(): void {
    if (this.busy) return;
    this.#isShown = false;
    const text = this.#isTyped && person.search === "" ? typed.shift() : undefined;
    if (text !== undefined) this.type(text);
    const labels = this.items.map(({ label }) => label);
    const { placeholder } = this;
    const more = JSON.stringify(this.items);
    shownMessages.push({ how: "choices", text: labels.join("\n"), more, placeholder });
    const label = person.choose(labels);
    const chosen = this.items.filter((item) => item.label === label);
    if (this.canSelectMany && chosen.length > 0) {
      this.selectedItems = this.items.filter(
        (item) => this.selectedItems.includes(item) !== chosen.includes(item),
      );
      return this.accept();
    }
    this.selectedItems = chosen;
    if (this.selectedItems.length > 0) this.accept();
    // An entry that is no answer leaves the pick open, until the user gives up.
    if (this.selectedItems.length === 0 || this.#isTyped) this.hide();
  }
}

export class HollowInputBox extends HollowInput {
  value = "";
  prompt: string | undefined;
  placeholder: string | undefined;
  /** An error, or a note that does not keep the text from being accepted. */
  validationMessage: string | { readonly message: string } | undefined;
  readonly #changed = new EventEmitter<string>();
  readonly onDidChangeValue = this.#changed.event;

  show(): void {
    shownMessages.push({ how: "input box", text: this.title ?? "", more: JSON.stringify(this) });
    const text = typed.shift();
    if (text !== undefined) {
      this.value = text;
      this.#changed.fire(text);
      this.accept();
      const shown = this.validationMessage;
      if (typeof shown === "object") shownMessages.push({ how: "input note", text: shown.message, more: "" });
      if (typeof shown !== "string") return;
      shownMessages.push({ how: "input problem", text: shown, more: "" });
    }
    this.hide();
  }
}
