const MAX_LENGTH = 200;
/** Control, format (bidi, zero-width), surrogate, private-use and line or paragraph separators: none belongs in one line of text. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const MASK = "[secret]";

/**
 * Foreign text made fit for an error or a log: one line of at most 200 characters, nothing invisible in it, and every
 * occurrence of a hidden text (also as hex, base64 or URL-encoded) masked. Still foreign: escape it where it is shown.
 * Cleaned before it is searched, so that a secret broken up by invisible characters is found, and cut last.
 */
export function quote(text: string, hidden: readonly string[] = []): string {
  let line = text.replace(/\s+/g, " ").replace(UNPRINTABLE, "").trim();
  for (const form of hidden.flatMap(writtenForms)) line = line.replace(form, MASK);
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

function writtenForms(text: string): RegExp[] {
  if (text === "") return [];
  const bytes = Buffer.from(text);
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  const written = [text, base64, bytes.toString("base64url"), encodeURIComponent(text)].map(escapeForRegExp);
  // Hex also as dumps show it, with something between the bytes.
  written.push([...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("[ :,-]?"));
  return [...new Set(written)].map((form) => new RegExp(form, "gi"));
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
