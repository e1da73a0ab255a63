import { createHmac } from "node:crypto";
import { signature } from "../../src/exchange/signing/signature.ts";
import { encodeOrder } from "../../src/exchange/wire/account.ts";
import { testBid } from "../support/builders/client.ts";
import { againstSync, ratioFigure, type Figure } from "./measure.ts";

/** Signing one bid. The floor is a bare HMAC over the same bytes. */
export function signingFigures(): Figure[] {
  const body = encodeOrder(testBid());
  const parts = { timestamp: "1795214121361", method: "POST", path: "/api/market/place-bid", body } as const;
  const bytes = Buffer.concat([Buffer.from(parts.timestamp + parts.method + parts.path), body]);
  const result = againstSync(
    () => signature("test-secret", parts),
    () => createHmac("sha256", "test-secret").update(bytes).digest("hex"),
    { rounds: 21, times: 5000 },
  );
  return [ratioFigure("sign", "sign one request (floor: bare createHmac)", result, 1.3)];
}
