import type { Computer } from "./computer.ts";

/** On Linux: the id of the installation, and a namespace that differs per container. */
const LINUX = { installation: "/etc/machine-id", namespace: "/proc/self/ns/uts" } as const;

/**
 * Text that is the same for all windows of a user on this computer, whatever the network. The host name is not: macOS takes it
 * from the network. On Linux the text also differs between computers and containers that share a home folder. Elsewhere two
 * computers with one home folder get the same text, and each polls the market for itself.
 */
export function machineText({ files, platform, uid }: Pick<Computer, "files" | "platform" | "uid">): string {
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
