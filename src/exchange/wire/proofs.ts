import { isRecord } from "../../market/exactJson.ts";
import { MASK } from "../redact.ts";
import type { Payload } from "./envelope.ts";

/**
 * An answer without the texts that repeat the key, the secret or the signature of its request: such a text is no id, and
 * must not be kept on the disk. `repeats` tells whether a text does.
 */
export function withoutProofs(payload: Payload, repeats: (text: string) => boolean): Payload {
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return repeats(value) ? undefined : value;
    if (Array.isArray(value)) return value.map(clean);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [repeats(key) ? MASK : key, clean(part)]),
    );
  };
  const { pagination } = payload;
  return {
    ...payload,
    content: clean(payload.content),
    ...(pagination !== undefined && { pagination: clean(pagination) }),
  };
}
