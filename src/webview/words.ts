/** A sentence of the host's with what the page knows put in its places, `{0}` and on. */
export function filled(sentence: string, ...values: readonly string[]): string {
  return sentence.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}
