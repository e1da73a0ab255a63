/** An object (with its keys so far) or array being scanned. */
interface Level {
  readonly keys: Set<string> | undefined;
  /** The current key or array index. */
  key: string | number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Paths of duplicate keys in JSON text, including array indexes. JSON.parse silently keeps the last value of such a
 * key. The text must be valid JSON.
 */
export function repeatedKeys(text: string): readonly (readonly (string | number)[])[] {
  const repeated: (string | number)[][] = [];
  const levels: Level[] = [];
  let level: Level | undefined;
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isKeyNext && level?.keys) {
        isKeyNext = false;
        const source = text.slice(at, end + 1);
        level.key = source.includes("\\") ? String(JSON.parse(source)) : source.slice(1, -1);
        if (level.keys.has(level.key)) repeated.push(levels.map(({ key }) => key));
        else level.keys.add(level.key);
      }
      at = end;
    } else if (code === COMMA) {
      if (level?.keys) isKeyNext = true;
      else if (level) level.key = Number(level.key) + 1;
    } else if (code === OBJECT || code === ARRAY) {
      isKeyNext = code === OBJECT;
      level = { keys: isKeyNext ? new Set() : undefined, key: 0 };
      levels.push(level);
    } else if (code === OBJECT_END || code === ARRAY_END) {
      levels.pop();
      level = levels.at(-1);
    }
  }
  return repeated;
}

/** Index of the closing quotation mark of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Nesting levels counted: an envelope, its content, and the entries of that content. */
const LEVELS = 3;

/**
 * A fast pre-check for duplicate keys: false is certain, true requires `repeatedKeys`. `value` is the result of
 * JSON.parse. Compares the number of colons with the number of keys, which may differ without a duplicate: strings may
 * contain colons, and keys nested deeper than list entries are not counted.
 */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  let colons = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) colons += 1;
  return colons !== countKeys(value, LEVELS);
}

function countKeys(value: unknown, levels: number): number {
  if (levels === 0 || !isObject(value)) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const part of value) count += countKeys(part, levels - 1);
    return count;
  }
  const keys = Object.keys(value);
  count = keys.length;
  if (levels > 1) for (const key of keys) count += countKeys(value[key], levels - 1);
  return count;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
