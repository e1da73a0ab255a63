import { maskFigures } from "../market/numbers/hiddenFigures.ts";

/** The result of a tool: data for a model, or why there are none. */
export type Answer = { readonly data: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** Largest text of an answer, in characters. Each tool stays far below. */
export const LONGEST_ANSWER = 48_000;
const LONGEST_FOREIGN = 160;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** What begins markup, a tag, a link, a fence or a template somewhere. */
const MARKUP = /[<>`*_~#|\\[\]{}$@&=^]+|(?<=:)\/\/|(?<=www)\./giu;

/**
 * Words of an exchange or of another user as one short line of data: no control characters, no markup, no links. The
 * caller puts them into a field that says whose words they are.
 */
export function foreignWords(text: string, areAmountsHidden: boolean): string {
  const line = text
    .slice(0, 4 * LONGEST_FOREIGN)
    .replace(/\s+/g, " ")
    .replace(UNPRINTABLE, "")
    .replace(MARKUP, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const shown = areAmountsHidden ? maskFigures(line) : line;
  return shown.length <= LONGEST_FOREIGN ? shown : `${shown.slice(0, LONGEST_FOREIGN - 1).toWellFormed()}…`;
}

/** The text of an answer: one line of JSON. */
export function answerText(answer: Answer): string {
  const text = JSON.stringify("data" in answer ? answer.data : answer);
  return text.length <= LONGEST_ANSWER
    ? text
    : JSON.stringify({ problem: "The answer is too long. Ask for less." });
}
