import * as z from "zod/mini";

/** Messages between a window and an MCP server; windows never send them to each other. Schemas are strict. */

/** Pseudo tool name by which a server requests the tools of the current access level. */
export const LIST_TOOLS = "tools";

/** `input` is JSON, which the window validates. */
export const call = z.strictObject({
  type: z.literal("call"),
  tool: z.string().check(z.regex(/^[A-Za-z_]{1,40}$/)),
  input: z.string().check(z.maxLength(8000)),
});

/** `text` is made by `answerText`. */
export const reply = z.strictObject({
  type: z.literal("reply"),
  text: z.string().check(z.maxLength(50_000)),
  isError: z.boolean(),
});

export type Call = z.infer<typeof call>;
export type CallReply = z.infer<typeof reply>;
