import { samePosition } from "./typedFigure.ts";

/**
 * A field for a number: grouped like every other figure, and plain while it has the focus, with the caret at the same
 * digit. Nothing is written into it while the user types.
 */
export class NumberField {
  readonly #input: HTMLInputElement;
  #plain = "";
  #isPlain = false;
  #isPressed = false;

  constructor(input: HTMLInputElement) {
    this.#input = input;
    input.addEventListener("pointerdown", () => (this.#isPressed = true));
    input.addEventListener("focus", () => {
      // The browser places the caret after this event; at the pointer, so the digits stay until it is released.
      if (!this.#isPressed) queueMicrotask(() => this.#becomePlain());
    });
    document.addEventListener("pointerup", () => {
      if (this.#isPressed) this.#becomePlain();
      this.#isPressed = false;
    });
    // A native context menu takes the release of the pointer.
    input.addEventListener("beforeinput", () => this.#becomePlain());
    input.addEventListener("blur", () => (this.#isPlain = this.#isPressed = false));
  }

  /** Sets the number, and how it is shown without the focus. */
  show(plain: string, grouped: string): void {
    this.#plain = plain;
    if (!this.#isPlain) this.#regroup(grouped);
    else if (this.#input.value !== plain) this.#input.value = plain;
  }

  #becomePlain(): void {
    if (this.#isPlain || document.activeElement !== this.#input) return;
    this.#isPlain = true;
    this.#regroup(this.#plain);
  }

  /** Writes the same number in another form; caret and selection stay at their digits. */
  #regroup(text: string): void {
    const input = this.#input;
    const { value, selectionStart, selectionEnd, selectionDirection } = input;
    if (value === text) return;
    input.value = text;
    const [start, end] = [selectionStart, selectionEnd].map((at) => samePosition(value, at ?? 0, text));
    input.setSelectionRange(start ?? 0, end ?? 0, selectionDirection ?? "none");
  }
}
