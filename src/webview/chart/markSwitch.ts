import { markNames, type MarkName, type ShownMarks } from "../../protocol/chartMarks.ts";
import { element } from "../dom.ts";

/** Buttons that show and hide each kind of own marks. */
export class MarkSwitch {
  readonly #buttons: ReadonlyMap<MarkName, HTMLButtonElement>;

  /** `toggled` is called when the user shows or hides a kind. */
  constructor(toggled: (mark: MarkName, shown: boolean) => void) {
    const group = element("mark-switch", HTMLElement);
    const buttons = [...group.querySelectorAll("button")];
    this.#buttons = new Map(
      markNames.flatMap((mark) => {
        const button = buttons.find(({ dataset }) => dataset["mark"] === mark);
        return button ? [[mark, button] as const] : [];
      }),
    );
    for (const [mark, button] of this.#buttons)
      button.addEventListener("click", () => {
        const isShown = button.ariaPressed !== "true";
        button.ariaPressed = String(isShown);
        toggled(mark, isShown);
      });
  }

  show(shown: ShownMarks | undefined): void {
    element("mark-switch", HTMLElement).hidden = shown === undefined;
    for (const [mark, button] of this.#buttons) button.ariaPressed = String(shown?.[mark] ?? false);
  }
}
