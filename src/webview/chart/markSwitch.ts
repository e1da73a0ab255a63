import type { MarkName, ShownMarks } from "../../protocol/chartMarks.ts";
import { element } from "../dom.ts";

/** Buttons that show and hide each kind of own marks, which their `data-mark` names. */
export class MarkSwitch {
  readonly #group = element("mark-switch", HTMLElement);
  readonly #buttons = this.#group.querySelectorAll("button");

  constructor(toggled: (mark: MarkName, shown: boolean) => void) {
    for (const button of this.#buttons)
      button.addEventListener("click", () => {
        const isShown = button.ariaPressed !== "true";
        button.ariaPressed = String(isShown);
        toggled(button.dataset["mark"] as MarkName, isShown);
      });
  }

  show(shown: ShownMarks | undefined): void {
    this.#group.hidden = shown === undefined;
    for (const button of this.#buttons)
      button.ariaPressed = String(shown?.[button.dataset["mark"] as MarkName] ?? false);
  }
}
