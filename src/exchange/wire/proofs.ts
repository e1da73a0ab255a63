import { isRecord } from "./exactJson.ts";
import { MASK } from "../../http/redact.ts";
import type { Payload } from "./payload.ts";

/**
 * Removes texts that echo the request's key, secret or signature, as detected by `repeats`: they are not ids and must not
 * be stored.
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
