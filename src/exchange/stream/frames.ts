/** How much of a frame is read. */
export interface FrameBounds {
  /** Characters. */
  readonly longest: number;
  /** Levels of objects and lists within each other. */
  readonly deepest: number;
}

/**
 * The JSON value of a text; undefined if it is none, or if it is beyond the bounds: then nothing of it is parsed. `parse`
 * throws if the text is no JSON.
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

/** The depth of a text of JSON; stops one level below `deepest`. Brackets in texts do not count. */
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
 * Whether one of these keys may occur twice in a text of JSON. The parser takes the last value, and another reader the
 * first, so the right value is unknown. Fast, and on the safe side: a text that quotes a key counts too.
 */
export function mayRepeat(text: string, keys: readonly string[]): boolean {
  return keys.some((key) => {
    const name = `"${key}"`;
    const first = text.indexOf(name);
    return first !== -1 && text.includes(name, first + name.length);
  });
}
