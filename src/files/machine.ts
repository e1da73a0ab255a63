import type { OperatingSystem } from "./operatingSystem.ts";

/** On Linux: the installation's id, and a namespace that differs between containers. */
const LINUX = { installation: "/etc/machine-id", namespace: "/proc/self/ns/uts" } as const;

/**
 * Text that is the same for all windows of a user on this computer, whatever the network. The host name would not be,
 * because macOS takes it from the network. On Linux the text also differs between computers and containers that share a
 * home folder. On other systems, two computers that share a home folder get the same text, and each polls the market on
 * its own.
 */
export function machineText({
  files,
  platform,
  uid,
}: Pick<OperatingSystem, "files" | "platform" | "uid">): string {
  if (platform !== "linux") return `${platform} ${uid}`;
  let [installation, namespace] = ["", ""];
  try {
    installation = String(files.readFileSync(LINUX.installation)).trim();
  } catch {
    // Some containers have no machine id.
  }
  try {
    namespace = files.readlinkSync(LINUX.namespace);
  } catch {
    // Not available on this system.
  }
  return `${installation} ${namespace} ${uid}`;
}
