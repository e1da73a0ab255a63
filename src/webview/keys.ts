/**
 * The Latin letter of a key press in lower case, for shortcuts; else the key's name. On layouts with other letters, such
 * as Thai, Russian or Arabic, it is the letter at the key's position.
 */
export function shortcutKey({ key, code }: KeyboardEvent): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const isOtherLetter = /^[^\p{ASCII}]+$/u.test(key);
  return isOtherLetter && code.startsWith("Key") ? code.slice("Key".length).toLowerCase() : key;
}
