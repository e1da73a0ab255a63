import type { PreparedDraft } from "../../assistant/preparedDrafts.ts";
import type { FormDraft } from "../../protocol/ticket.ts";

/** Tracks the prepared draft in the ticket, if any, and whether the user has edited or submitted it. */
export class PreparedFigures {
  #draft: PreparedDraft | undefined;
  #onRemoved: (() => void) | undefined;
  #isShown = false;
  #isEdited = false;

  /** `onRemoved` is called when this draft has left the ticket. */
  begin(draft: PreparedDraft, onRemoved: () => void): void {
    this.end();
    [this.#draft, this.#onRemoved] = [draft, onRemoved];
    this.#isShown = this.#isEdited = false;
  }

  /** Whether there is one, edited or not. */
  get isPresent(): boolean {
    return this.#draft !== undefined;
  }

  /** Whether this draft may be removed: the user has neither edited nor submitted it. */
  isUntouched(id: string): boolean {
    return this.#draft?.id === id && !this.#isEdited;
  }

  follow(shown: FormDraft): void {
    const draft = this.#draft;
    if (!draft) return;
    if (shown.preparedBy === undefined) {
      // Ignore messages sent before the page was filled in.
      if (this.#isShown) this.end();
      return;
    }
    this.#isShown = true;
    const parts = ["side", "symbol", "amount", "rate", "postOnly"] as const;
    // The page may fill an empty field with the last price.
    if (parts.some((part) => draft[part] !== "" && draft[part] !== shown[part])) this.#isEdited = true;
  }

  markSubmitted(): void {
    this.#isEdited = true;
  }

  end(): void {
    const onRemoved = this.#onRemoved;
    this.#draft = this.#onRemoved = undefined;
    onRemoved?.();
  }
}
