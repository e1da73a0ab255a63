import { capabilityNames, factsOf, isSigned, type Generation } from "../../../src/exchange/endpoints.ts";
import { readFeatures, type Features } from "../../../src/exchange/features.ts";

/** Every capability of a service of one generation, at `/NAME`: private reads are POST in A, GET in B and C. */
export function allFeatures(envelope: Generation, more: Partial<Features> = {}): Features {
  const each = capabilityNames.map((name) => {
    const isPost = factsOf(name).effect !== undefined || (envelope === "A" && isSigned(name));
    return [name, { method: isPost ? "POST" : "GET", path: `/${name}`, envelope }];
  });
  const symbols = envelope === "A" ? "quoteFirst" : "baseFirst";
  const features = readFeatures(Object.fromEntries(each), symbols);
  if (Array.isArray(features)) throw new Error(features.join(" "));
  return { ...features, ...more };
}
