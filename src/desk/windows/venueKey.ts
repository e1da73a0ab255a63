import { createHash } from "node:crypto";
import type { WindowDemand } from "../../hub/protocol.ts";
import type { VenueState } from "../venue.ts";

/**
 * Identifies the market of a window to the others. Addresses and paths may be private, so only their digest is sent.
 */
export function venueKey(state: VenueState): WindowDemand["venue"] {
  if (state.kind === "opening") return undefined;
  if (state.kind === "unusable") return "none";
  const { addressMayChange, profile } = state.venue;
  if (addressMayChange) return "practice";
  const { baseUrl, ...rest } = profile;
  return createHash("sha256")
    .update(JSON.stringify([baseUrl.href, rest]))
    .digest("hex")
    .slice(0, 16);
}
