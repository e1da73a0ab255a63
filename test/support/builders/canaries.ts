import { type Random, pick } from "../random.ts";
import { inspect } from "node:util";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ALPHABETS = [
  ALPHANUMERIC,
  `${ALPHANUMERIC}+/`,
  `${ALPHANUMERIC}-_~.`,
  "0123456789abcdef",
  "0123456789",
  Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).join(""),
];

/** Additional characters allowed in a secret, which is never sent in a header. */
const BEYOND_ASCII = [
  "абвгдежзийклмнопрстуфхцчшщъыьэюя0123456789",
  "กขคงจฉชซฌญฎฏฐฑฒณด-+/",
  "密钥的字符集合ßéñ01",
];

/** A fake key, too long to occur by chance; of letters, digits or all characters allowed in a header. */
export function canary(random: Random): string {
  return textOf(random, pick(random, ALPHABETS));
}

/** A fake secret: like a key, or with characters beyond ASCII. */
export function secretCanary(random: Random): string {
  return textOf(random, pick(random, [...ALPHABETS, ...BEYOND_ASCII]));
}

function textOf(random: Random, alphabet: string): string {
  const length = 16 + Math.floor(random() * 49);
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

function inBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Encodings in which logs, proxies or careless services leak text. */
export const writings: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  "upper case": (text) => text.toUpperCase(),
  hex: (text) => Buffer.from(text).toString("hex"),
  "upper-case hex": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "a hex dump": (text) =>
    Buffer.from(text)
      .toString("hex")
      .replace(/..(?!$)/g, "$& "),
  "hex with colons": (text) =>
    Buffer.from(text)
      .toString("hex")
      .replace(/..(?!$)/g, "$&:"),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 after one character": (text) => Buffer.from(`:${text}`).toString("base64"),
  "base64 after two characters": (text) => Buffer.from(`a:${text}`).toString("base64"),
  "base64 within more": (text) => Buffer.from(`key:${text};`).toString("base64url"),
  "wrapped base64": (text) => Buffer.from(text).toString("base64").replace(/.{19}/g, "$&\r\n"),
  "URL-encoded": encodeURIComponent,
  "URL-encoded form": (text) => new URLSearchParams([["k", text]]).toString().slice(2),
  "URL-encoded throughout": (text) => Buffer.from(text).toString("hex").replace(/../g, "%$&"),
  JSON: (text) => JSON.stringify(text),
  "JSON escapes": (text) =>
    text.replace(/./gs, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
  HTML: (text) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`),
  "HTML names": (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  "base64 of base64": (text) => inBase64(inBase64(text)),
  "base64 of hex": (text) => inBase64(Buffer.from(text).toString("hex")),
  "hex of base64": (text) => Buffer.from(inBase64(text)).toString("hex"),
  "URL-encoded base64": (text) => encodeURIComponent(inBase64(text)),
  "base64 of a URL-encoding": (text) => inBase64(encodeURIComponent(text)),
  reversed: (text) => Array.from(text).toReversed().join(""),
  "one character at a time": (text) => Array.from(text).join(" "),
  "broken up by the invisible": (text) => text.replace(/.{5}/gs, "$&\u200b\u0000"),
};

/** The texts to search for: every encoding of every text. */
export function needlesOf(canaries: readonly string[]): ReadonlyMap<string, string> {
  const needles = new Map<string, string>();
  for (const each of canaries) {
    for (const [name, write] of Object.entries(writings)) {
      needles.set(core(write(each), name).toLowerCase(), `${each}, written as ${name}`);
    }
  }
  return needles;
}

/** The first of these texts found in a place, in any case; undefined if there is none. */
export function findNeedle(place: string, needles: ReadonlyMap<string, string>): string | undefined {
  const text = place.toLowerCase();
  return [...needles].find(([needle]) => text.includes(needle))?.[1];
}

/** The part of an encoding that is independent of the surrounding bytes. */
function core(written: string, name: string): string {
  if (name === "JSON") return written.slice(1, -1);
  return name.startsWith("base64") ? written.replace(/=+$/, "").slice(4, -2) : written;
}

/**
 * All texts that a careless reader could extract from a value: string conversion, JSON, inspection, and every nested
 * string, including hidden ones and causes.
 */
export function everythingIn(value: unknown): string {
  const shown = [true, false].map((customInspect) =>
    inspect(value, { depth: 10, showHidden: true, getters: true, maxStringLength: null, customInspect }),
  );
  return [String(value), jsonOf(value), ...shown, ...textsIn(value)].join("\n");
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Circular values are covered by the other ways.
    return "";
  }
}

/** Inspection and JSON escape quoted texts: here they are unescaped. */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  const entries = value instanceof Map || value instanceof Set ? [...value] : [];
  const fields = Reflect.ownKeys(value).flatMap((key) => [String(key), Reflect.get(value, key) as unknown]);
  return [...entries, ...fields].flatMap((each) => textsIn(each, seen));
}
