import type { MarkName, ShownMarks } from "../../protocol/chartMarks.ts";
import { element } from "../dom.ts";

/** The menu's checkboxes for each kind of own marks, which their `data-mark` names. */
export class MarkSwitch {
  readonly #group = element("mark-switch", HTMLElement);
  readonly #boxes = this.#group.querySelectorAll("button");

  constructor(toggled: (mark: MarkName, shown: boolean) => void) {
    for (const box of this.#boxes)
      box.addEventListener("click", () => {
        const isShown = box.ariaChecked !== "true";
        box.ariaChecked = String(isShown);
        toggled(box.dataset["mark"] as MarkName, isShown);
      });
  }

  show(shown: ShownMarks | undefined): void {
    this.#group.hidden = shown === undefined;
    for (const box of this.#boxes)
      box.ariaChecked = String(shown?.[box.dataset["mark"] as MarkName] ?? false);
  }
}
