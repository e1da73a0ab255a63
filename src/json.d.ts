/**
 * JSON.parse source text access and JSON.rawJSON (ECMA-262, stage 4): supported by the editor's Node, not yet in the
 * library types.
 */
interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): { readonly rawJSON: string };
}
