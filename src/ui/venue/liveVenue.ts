import type { VenueOpening } from "../../desk/venue.ts";
import { type ProfileDraft, readProfile } from "../../exchange/profile.ts";
import { profileSetting } from "../settings.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { ProfileError } from "../text/profileError.ts";

/** The configured exchange, or that of `draft`, with the key for its origin. */
export function openLive(store: CredentialStore, draft: ProfileDraft = profileSetting()): VenueOpening {
  const profile = readProfile(draft);
  if (Array.isArray(profile)) throw new ProfileError(profile);
  return {
    name: profile.baseUrl.host,
    profile,
    credentials: () => store.forOrigin(profile.baseUrl.origin),
    addressMayChange: false,
  };
}
