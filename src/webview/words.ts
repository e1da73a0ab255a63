/** Replaces `{0}`, `{1}`, … in a text of the host. */
export function filled(sentence: string, ...values: readonly string[]): string {
  return sentence.replace(/\{(\d)\}/g, (placeholder, index: string) => values[Number(index)] ?? placeholder);
}
