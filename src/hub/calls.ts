import * as z from "zod/mini";

/** Messages between a window and an assistant's server. They never pass between windows. Strict, like those do. */

/** The name in place of a tool's by which a server asks for the tools of the person's level. */
export const LIST_TOOLS = "tools";

/** A call of a tool. `input` is JSON, which the window checks. */
export const call = z.strictObject({
  type: z.literal("call"),
  tool: z.string().check(z.regex(/^[A-Za-z_]{1,40}$/)),
  input: z.string().check(z.maxLength(8000)),
});

/** The result: text for a model, as `answerText` makes it. */
export const reply = z.strictObject({
  type: z.literal("reply"),
  text: z.string().check(z.maxLength(50_000)),
  isError: z.boolean(),
});

export type Call = z.infer<typeof call>;
export type Reply = z.infer<typeof reply>;
