/**
 * A pure function that remembers its results: rows of a stream ask for the same few texts many times a second. With `most` results it
 * forgets all of them and begins again.
 */
export function remembered<Key, Value>(compute: (key: Key) => Value, most = 2000): (key: Key) => Value {
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
