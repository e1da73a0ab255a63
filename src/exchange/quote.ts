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
  const cleaned = text.replace(/\s+/g, " ").replace(UNPRINTABLE, "").trim().slice(0, MAX_SEARCHED);
  // Written in whatever way, a text takes its own length at least.
  const line = masked(
    cleaned,
    hidden.filter(({ length }) => length > 0 && length <= cleaned.length),
  );
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

type Range = readonly [start: number, end: number];

/** A line as one kind of reader takes it: bytes, a character each, and where in the line each of them stands. */
interface View {
  readonly bytes: string;
  readonly ranges: readonly Range[];
}

/** How to read a line, and what a text looks like to that reader. */
interface Reading {
  /** Present wherever it differs from reading the line as it is. */
  readonly sign: string;
  readonly token: RegExp;
  /** Bytes of a token. */
  readonly read: (token: string) => string;
  readonly written: (text: string) => readonly string[];
}

// None minds a space: there a long line was wrapped. All compare without regard to case.
const readings: readonly Reading[] = [
  { sign: "", token: /\S/gu, read: bytesOf, written: asItIs },
  {
    sign: "%",
    token: /%[0-9a-f]{2}|\S/giu,
    read: (token) => (token.length === 3 ? byte(token.slice(1), 16) : bytesOf(token)),
    written: asItIs,
  },
  {
    sign: "&",
    token: /&#\d{1,7};|&#x[0-9a-f]{1,6};|&(?:amp|lt|gt|quot|apos);|\S/giu,
    read: (token) => (token.length > 2 ? fromHtml(token.slice(1, -1)) : bytesOf(token)),
    written: asItIs,
  },
  {
    sign: "\\",
    token: /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\?\S/giu,
    read: (token) => (token.length > 2 ? character(token.slice(2), 16) : bytesOf(token.slice(-1))),
    written: asItIs,
  },
  {
    sign: "",
    token: /[^\s:,-]/gu,
    read: bytesOf,
    written: (text) => [Buffer.from(text).toString("hex")],
  },
  {
    sign: "",
    token: /%2b|%2f|\S/giu,
    read: (token) => (/^(?:-|%2b)$/i.test(token) ? "+" : /^(?:_|%2f)$/i.test(token) ? "/" : bytesOf(token)),
    written: inBase64,
  },
];

function masked(line: string, hidden: readonly string[]): string {
  const found: Range[] = [];
  for (const { sign, token, read, written } of hidden.length > 0 ? readings : []) {
    if (!line.includes(sign)) continue;
    const view = viewOf(line, token, read);
    for (const needle of hidden.flatMap(spellings).flatMap(written)) find(view, needle.toLowerCase(), found);
  }
  // From the end, so that what stands before keeps its place.
  return merged(found).reduceRight(
    (rest, [start, end]) => rest.slice(0, start) + MASK + rest.slice(end),
    line,
  );
}

function viewOf(line: string, token: RegExp, read: (token: string) => string): View {
  let bytes = "";
  const ranges: Range[] = [];
  for (const { 0: each, index } of line.matchAll(token)) {
    const range: Range = [index, index + each.length];
    for (const one of read(each)) {
      bytes += one;
      ranges.push(range);
    }
  }
  return { bytes: bytes.toLowerCase(), ranges };
}

function find({ bytes, ranges }: View, needle: string, found: Range[]): void {
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length)) {
    found.push([ranges[at]?.[0] ?? 0, ranges[at + needle.length - 1]?.[1] ?? 0]);
  }
}

/** In their order, what overlaps as one. */
function merged(ranges: readonly Range[]): Range[] {
  const apart: Range[] = [];
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const [before, reached] = apart.at(-1) ?? [0, -1];
    if (start < reached) apart[apart.length - 1] = [before, Math.max(end, reached)];
    else apart.push([start, end]);
  }
  return apart;
}

/** How a text may stand in what was encoded once more, as an echoed request in base64: as it is, or escaped before. */
function spellings(text: string): readonly string[] {
  const html = text.replace(/[&<>"']/g, (each) => `&${HTML_ESCAPES.get(each)};`);
  return [
    ...new Set([text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed()), html]),
  ];
}

function asItIs(text: string): string[] {
  return [bytesOf(text)];
}

/** Alone, and the digits that stand for the text alone within a longer one's, at each of its three places. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const within = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  // Fewer digits than these occur in any text.
  return [bytes.toString("base64").replace(/=+$/, ""), ...within.filter(({ length }) => length >= 6)];
}

function fromHtml(name: string): string {
  if (/^#x/i.test(name)) return character(name.slice(2), 16);
  if (name.startsWith("#")) return character(name.slice(1), 10);
  return HTML_NAMES.get(name.toLowerCase()) ?? "";
}

const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

const HTML_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "amp"],
  ["<", "lt"],
  [">", "gt"],
  ['"', "quot"],
  ["'", "#39"],
]);

function byte(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base));
}

function character(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : "";
}

/** UTF-8, each byte a character. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}
