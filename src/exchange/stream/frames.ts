export interface FrameBounds {
  /** In characters. */
  readonly longest: number;
  /** In levels of nested objects and lists. */
  readonly deepest: number;
}

/**
 * Parses a frame. Undefined if it is not JSON, or if it exceeds a limit, in which case it is not parsed at all. `parse`
 * must throw on invalid JSON.
 */
export function readFrame(
  text: string,
  { longest, deepest }: FrameBounds,
  parse: (text: string) => unknown = (json) => JSON.parse(json) as unknown,
): unknown {
  if (text.length > longest || depthOf(text, deepest) > deepest) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];

/** Nesting depth of JSON text, ignoring brackets in strings. Stops counting one level below `deepest`. */
function depthOf(text: string, deepest: number): number {
  // Most frames are one flat object.
  if (deepest >= 1 && text.indexOf("{", 1) === -1 && !text.includes("[")) return 1;
  let [depth, most, isText] = [0, 0, false];
  for (let at = 0; at < text.length && most <= deepest; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) most = Math.max(most, (depth += 1));
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return most;
}

/**
 * Whether one of these keys may be duplicated in JSON text. Parsers disagree on which value counts, so the right one is
 * unknown. Fast and conservative: a string that equals a key counts too.
 */
export function mayRepeat(text: string, keys: readonly string[]): boolean {
  return keys.some((key) => {
    const name = `"${key}"`;
    const first = text.indexOf(name);
    return first !== -1 && text.includes(name, first + name.length);
  });
}
