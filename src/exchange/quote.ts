const MAX_LENGTH = 200;
/** Secrets are looked for this far into a text, so that a service's megabyte costs no time; far beyond what is shown of it. */
const MAX_SEARCHED = 16 * 1024;
/** Control, format (bidi, zero-width), surrogate, private-use and line or paragraph separators: none belongs in one line of text. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const MASK = "[secret]";

/**
 * Foreign text made fit for an error or a log: one line of at most 200 characters, nothing invisible in it, and every
 * occurrence of a hidden text masked, also as hex, as base64 (alone or within what was encoded around it) or with any of
 * its characters escaped as URLs, HTML or JSON do. Still foreign: escape it where it is shown.
 * Cleaned before it is searched, so that a secret broken up by invisible characters is found, and cut last.
 */
export function quote(text: string, hidden: readonly string[] = []): string {
  let line = text.replace(/\s+/g, " ").replace(UNPRINTABLE, "").trim().slice(0, MAX_SEARCHED);
  for (const form of hidden.flatMap(writtenForms)) line = line.replace(form, MASK);
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

/** Between any two characters: where a long line was wrapped. */
const WRAPPED = " ?";

function writtenForms(text: string): RegExp[] {
  if (text === "") return [];
  const bytes = Buffer.from(text);
  // Hex also as dumps show it, with something between the bytes.
  const hex = [...bytes].map(hexOf).join("[ :,-]?");
  const inJson = escapeForRegExp(JSON.stringify(text).slice(1, -1));
  const written = [[...text].map(escapedOrNot).join(WRAPPED), inJson, hex, ...base64Forms(bytes)];
  return written.map((form) => new RegExp(form, "gi"));
}

/** A character as it is, or as URLs, HTML or JSON write it: `%7e`, `&#126;`, `&#x7e;`, `\u007e`, `\x7e`, `\"`. */
function escapedOrNot(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const percent = [...Buffer.from(character)].map((byte) => `%${hexOf(byte)}`).join("");
  const escapes = [percent, `&#0*${code};`, `&#x0*${hex};`, `\\\\u${hex.padStart(4, "0")}`, `\\\\x${hex}`];
  const name = HTML_NAMES.get(character);
  if (name !== undefined) escapes.push(`&${name};`);
  // Never before a backslash: of many in a row any number of readings would have to be tried.
  const mark = character === "\\" ? "" : "\\\\?";
  return `(?:${escapes.join("|")}|${mark}${escapeForRegExp(character)})`;
}

const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ["&", "amp"],
  ["<", "lt"],
  [">", "gt"],
  ['"', "quot"],
  ["'", "apos"],
]);

/** Base64 of the bytes alone, and the digits that stand for them alone within that of a longer text, at each of its three places. */
function base64Forms(bytes: Buffer): string[] {
  const alone = bytes.toString("base64").replace(/=+$/, "");
  const within = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  // Fewer digits than these occur in any text.
  return [alone, ...within.filter(({ length }) => length >= 6)].map((digits) =>
    [...digits].map(base64Digit).join(WRAPPED),
  );
}

function base64Digit(digit: string): string {
  if (digit === "+") return "(?:[+-]|%2b)";
  return digit === "/" ? "(?:[/_]|%2f)" : digit;
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
