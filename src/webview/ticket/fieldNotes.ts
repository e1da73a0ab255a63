import type { FieldProblems, FieldTexts, FormField } from "../../protocol/ticket.ts";
import { FIELDS, type TicketView } from "./view.ts";

/** The error beside each field: the response to the last submission, else the draft's current problems. */
export class FieldNotes {
  readonly #view: TicketView;
  #problems: FieldProblems = {};
  #answers: FieldTexts = {};
  /** The field being typed into: problems that more typing can fix are withheld. */
  typing: FormField | undefined;

  constructor(view: TicketView) {
    this.#view = view;
  }

  /**
   * Sets the draft's problems. A response that repeats one disappears with it, for example when a frozen pair resumes
   * trading.
   */
  setProblems(problems: FieldProblems): void {
    const before = this.#problems;
    this.#problems = problems;
    this.removeAnswers(
      ...FIELDS.filter((field) => {
        const shown = before[field]?.text;
        return shown !== undefined && shown === this.#answers[field] && shown !== problems[field]?.text;
      }),
    );
  }

  setAnswers(answers: FieldTexts): void {
    this.#answers = answers;
    this.show();
  }

  setAnswer(field: FormField, text: string): void {
    this.setAnswers({ ...this.#answers, [field]: text });
  }

  removeAnswers(...fields: readonly FormField[]): void {
    const left = Object.entries(this.#answers).filter(([field]) => !fields.includes(field as FormField));
    this.setAnswers(Object.fromEntries(left));
  }

  show(): void {
    const texts: FieldTexts = { ...this.#answers };
    for (const field of FIELDS) {
      const problem = this.#problems[field];
      const isTyping = this.typing === field || (this.typing === "quantity" && field === "amount");
      if (problem && (problem.isFinal || !isTyping)) texts[field] ??= problem.text;
    }
    this.#view.showErrors(texts);
  }
}
