import { element } from "../dom.ts";
import { shortcutKey } from "../keys.ts";

interface ScaleSwitchOptions {
  readonly fit: () => void;
  /** Called with the user's choice of a logarithmic scale. */
  readonly toggled: (isLogarithmic: boolean) => void;
}

/** The menu's items for the scales, and their keys in the chart. */
export class ScaleSwitch {
  readonly #logScale = element("log-scale", HTMLButtonElement);

  constructor({ fit, toggled }: ScaleSwitchOptions) {
    const toggle = (): void => toggled(this.#logScale.ariaChecked !== "true");
    element("fit", HTMLButtonElement).addEventListener("click", fit);
    this.#logScale.addEventListener("click", toggle);
    element("chart", HTMLElement).addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const key = shortcutKey(event);
      if (key === "f") fit();
      if (key === "l") toggle();
    });
  }

  show(isLogarithmic: boolean): void {
    this.#logScale.ariaChecked = String(isLogarithmic);
  }
}
