/** A text of the host with values in place of `{0}` and on. */
export function filled(sentence: string, ...values: readonly string[]): string {
  return sentence.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}
