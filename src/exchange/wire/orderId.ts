import { isRecord, NumberText } from "../../market/exactJson.ts";

/** Whether an answer is an order: an id and a field of the order, because a gateway's error may have an `id` too. */
export function isBareOrder(content: unknown): boolean {
  const order = isRecord(content) ? content : {};
  return orderIdOf(order) !== undefined && ["typ", "amt", "rat"].some((field) => order[field] !== undefined);
}

/** The id of an order as text; undefined without an id that can be kept. */
export function orderIdOf(content: unknown): string | undefined {
  return isRecord(content) ? decodeId(content["id"]) : undefined;
}

/** Printable ASCII, like every known id of an order or a match. Integers keep their digits. */
export function decodeId(id: unknown): string | undefined {
  if (id instanceof NumberText) return /^\d{1,40}$/.test(id.source) ? id.source : undefined;
  return typeof id === "string" && /^[\x21-\x7e]{1,128}$/.test(id) ? id : undefined;
}

/** The id of another order that an order names; undefined for the family's words for none: `0` and nothing. */
export function linkedId(id: unknown): string | undefined {
  const text = decodeId(id);
  return text === "0" ? undefined : text;
}
