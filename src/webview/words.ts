/** Replaces the placeholders `{0}`, `{1}`, … of a text. */
export function filled(sentence: string, ...values: readonly string[]): string {
  return sentence.replace(/\{(\d)\}/g, (placeholder, index: string) => values[Number(index)] ?? placeholder);
}
