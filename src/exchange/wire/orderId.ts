import { isRecord, NumberText } from "./exactJson.ts";

/** Whether a response is an order: it has an id and another order field, because a gateway error may have an `id` too. */
export function isBareOrder(content: unknown): boolean {
  const order = isRecord(content) ? content : {};
  return orderIdOf(order) !== undefined && ["typ", "amt", "rat"].some((field) => order[field] !== undefined);
}

/** The order id as text; undefined if missing or not storable. */
export function orderIdOf(content: unknown): string | undefined {
  return isRecord(content) ? decodeId(content["id"]) : undefined;
}

/** Printable ASCII, like all known order and match ids. Integers keep all digits. */
export function decodeId(id: unknown): string | undefined {
  if (id instanceof NumberText) return /^\d{1,40}$/.test(id.source) ? id.source : undefined;
  return typeof id === "string" && /^[\x21-\x7e]{1,128}$/.test(id) ? id : undefined;
}

/** The id of a linked order; undefined for `0` and empty values, which mean none. */
export function linkedId(id: unknown): string | undefined {
  const text = decodeId(id);
  return text === "0" ? undefined : text;
}
