const TAG = "BSD-";
/** 36 to the power of 25 is more than 2 to the power of 128. */
const DIGITS = 25;

/**
 * The client id of an order: a fixed tag, and the order's UUID in base 36. 29 characters of `A-Z0-9-`. A new order has
 * a new UUID, so no client id is used twice.
 */
export function clientIdFor(uuid: string): string {
  const value = BigInt(`0x${uuid.replaceAll("-", "")}`);
  return `${TAG}${value.toString(36).toUpperCase().padStart(DIGITS, "0")}`;
}
