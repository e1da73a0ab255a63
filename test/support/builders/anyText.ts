import fc from "fast-check";

const LAST_CODE_POINT = 0x10_ffff;

/** Text of any code points, also of halves of pairs. Fast-check's own `unit: "binary"` takes two seconds to begin. */
export function anyText(maxLength = 50): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(fc.nat(0xff), fc.nat(0xffff), fc.nat(LAST_CODE_POINT)), { maxLength })
    .map((points) => String.fromCodePoint(...points));
}
