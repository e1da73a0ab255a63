import type { PreparedDraft } from "../../assistant/preparedDrafts.ts";
import type { FormDraft } from "../../protocol/ticket.ts";

/** The prepared draft that is in the ticket, if there is one, and whether the person has made it their own. */
export class PreparedFigures {
  #draft: PreparedDraft | undefined;
  #onRemoved: (() => void) | undefined;
  #isShown = false;
  #isEdited = false;

  /** `gone` is called when this draft is no longer in the ticket. */
  begin(draft: PreparedDraft, onRemoved: () => void): void {
    this.end();
    [this.#draft, this.#onRemoved] = [draft, onRemoved];
    this.#isShown = this.#isEdited = false;
  }

  /** Whether there is one, changed or not. */
  get isPresent(): boolean {
    return this.#draft !== undefined;
  }

  /** Whether the draft of this id may be removed: the person neither changed nor submitted it. */
  isUntouched(id: string): boolean {
    return this.#draft?.id === id && !this.#isEdited;
  }

  /** The page shows this draft now. */
  follow(shown: FormDraft): void {
    const draft = this.#draft;
    if (!draft) return;
    if (shown.preparedBy === undefined) {
      // A message from before the fill does not count.
      if (this.#isShown) this.end();
      return;
    }
    this.#isShown = true;
    const parts = ["side", "symbol", "amount", "rate", "postOnly"] as const;
    // A field that was left open for the person may have taken the last price.
    if (parts.some((part) => draft[part] !== "" && draft[part] !== shown[part])) this.#isEdited = true;
  }

  /** The person submitted the draft. */
  markSubmitted(): void {
    this.#isEdited = true;
  }

  end(): void {
    const onRemoved = this.#onRemoved;
    this.#draft = this.#onRemoved = undefined;
    onRemoved?.();
  }
}
