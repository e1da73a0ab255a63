/**
 * Memoizes a pure function: streamed rows request the same few texts many times a second. The cache is cleared when it
 * reaches `most` entries.
 */
export function memoized<Key, Value>(compute: (key: Key) => Value, most = 2000): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      if (known.size >= most) known.clear();
      known.set(key, value);
    }
    return value;
  };
}
