import { type ShownStudy, studyIds, type StudyId } from "../../market/studies.ts";
import { element, make } from "../dom.ts";

interface StudySwitchOptions {
  /** The name of a study with these figures, such as "SMA 20". */
  readonly nameOf: (study: ShownStudy) => string;
  readonly toggled: (id: StudyId, shown: boolean) => void;
}

/** The menu's checkboxes for studies, with their periods. */
export class StudySwitch {
  readonly #options: StudySwitchOptions;
  readonly #boxes = new Map<StudyId, HTMLButtonElement>();

  constructor(options: StudySwitchOptions) {
    this.#options = options;
    for (const id of studyIds) {
      const box = make("button", { type: "button", role: "menuitemcheckbox", tabIndex: -1 });
      box.addEventListener("click", () => options.toggled(id, box.ariaChecked !== "true"));
      this.#boxes.set(id, box);
    }
    element("study-switch", HTMLElement).prepend(...this.#boxes.values());
  }

  /** `all`: every study with its figures. */
  show(all: readonly ShownStudy[], shown: readonly StudyId[]): void {
    for (const study of all) {
      const box = this.#boxes.get(study.id);
      if (!box) continue;
      box.textContent = this.#options.nameOf(study);
      box.ariaChecked = String(shown.includes(study.id));
    }
  }
}
