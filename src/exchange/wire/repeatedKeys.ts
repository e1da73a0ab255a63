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
