import { capabilityNames, type CapabilityName } from "../../../src/market/endpoints.ts";
import { readFeatures, type Features, type Generation } from "../../../src/exchange/features.ts";

const PUBLIC: ReadonlySet<CapabilityName> = new Set(["symbols", "depth", "trades", "status"]);
const CHANGES: ReadonlySet<CapabilityName> = new Set(["placeAsk", "cancelOrder"]);

/** Every capability of a service of one generation, at `/NAME`: private reads are POST in A, GET in B and C. */
export function allFeatures(envelope: Generation, more: Partial<Features> = {}): Features {
  const each = capabilityNames.map((name) => {
    const isPost = CHANGES.has(name) || (envelope === "A" && !PUBLIC.has(name));
    return [name, { method: isPost ? "POST" : "GET", path: `/${name}`, envelope }];
  });
  const symbols = envelope === "A" ? "quoteFirst" : "baseFirst";
  const features = readFeatures(Object.fromEntries(each), symbols);
  if (Array.isArray(features)) throw new Error(features.join(" "));
  return { ...features, ...more };
}
