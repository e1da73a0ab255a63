import assert from "node:assert/strict";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { CLAIM_MS, NotificationClaims, RETENTION_MS } from "../../../src/storage/notificationClaims.ts";
import { systemWith } from "../../support/fakes/operatingSystem.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("NotificationClaims", () => {
  let folder: string;
  let claims: NotificationClaims;
  let other: NotificationClaims;
  beforeEach(() => {
    folder = join(temporaryFolder(), "notifications");
    [claims, other] = [new NotificationClaims(folder), new NotificationClaims(folder)];
  });

  function claimed(by: NotificationClaims, name: string, now: number): string {
    const claim = by.claim("toast", name, now);
    assert.ok(claim.kind === "claimed", claim.kind);
    return claim.path;
  }

  it("lets one window deliver a notification until it was delivered or its claim expires", () => {
    const now = Date.now();
    claimed(claims, "a", now);
    const taken = other.claim("toast", "a", now);
    assert.ok(taken.kind === "taken" && taken.retryMs > 0 && taken.retryMs <= CLAIM_MS);
    claimed(other, "b", now);
    const later = now + CLAIM_MS + 1000;
    other.markDelivered(claimed(other, "a", later));
    for (const at of [later, later + CLAIM_MS])
      assert.deepEqual(claims.claim("toast", "a", at), { kind: "delivered" });
    assert.deepEqual(readdirSync(folder), ["toast-a.1", "toast-a.2", "toast-b.1"]);
  });

  it("does not wait for a claim from the future, because the clock was set back", () => {
    claimed(claims, "a", Date.now());
    claimed(other, "a", Date.now() - 3_600_000);
  });

  it("removes the claims of more than a week ago, and claims also if it cannot", () => {
    const now = Date.now();
    for (const name of ["old", "young"]) claims.markDelivered(claimed(claims, name, now));
    for (const [name, ageMs] of [
      ["toast-old.1", RETENTION_MS + 1000],
      ["toast-young.1", RETENTION_MS - 1000],
    ] as const)
      utimesSync(join(folder, name), (now - ageMs) / 1000, (now - ageMs) / 1000);
    const rmSync = (): never => assert.fail("The file is in use.");
    claimed(new NotificationClaims(folder, systemWith({ rmSync })), "another", now);
    claimed(other, "new", now);
    assert.deepEqual(readdirSync(folder), ["toast-another.1", "toast-new.1", "toast-young.1"]);
  });
});
