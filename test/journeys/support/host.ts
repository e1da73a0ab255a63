import { globSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { waitFor } from "../../support/waitFor.ts";
import { hostFolders, type HostRequest } from "./hostRequest.ts";

/** The production app's name beside the app of the journeys, which loads it. */
const PRODUCT = "./product.js";

/** Puts the app of the journeys in front of the installed extension's own, which stays as it was packaged. */
export async function installResettableApp(extensionsDir: string): Promise<void> {
  const [dist] = globSync("bidside.bidside-*/dist", { cwd: extensionsDir });
  if (dist === undefined) throw new Error(`Bidside is not installed in ${extensionsDir}.`);
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "resettableApp.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    write: false,
    plugins: [
      {
        name: "the production app",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/src\/app\.ts$/ }, () => ({ path: PRODUCT, external: true })),
      },
    ],
  });
  const app = join(extensionsDir, dist, "app.js");
  renameSync(app, join(extensionsDir, dist, PRODUCT));
  writeFileSync(app, outputFiles[0]?.contents ?? "");
}

/** The extension hosts of an editor, one for each window and each load of it. A host outlives its window for a while. */
export class Hosts {
  readonly #folder: string;
  readonly #ports = new Set<string>();

  /** `storage`: the extension's own storage. */
  constructor(storage: string) {
    this.#folder = join(storage, hostFolders.hosts);
  }

  /** The port of the host that was started since the last call. */
  async next(): Promise<string> {
    const port = await waitFor("the extension host", () =>
      globSync("*", { cwd: this.#folder }).find((each) => !this.#ports.has(each)),
    );
    this.#ports.add(port);
    return port;
  }
}

/** Asks an extension host, and waits until it has done it. */
export async function askHost(port: string, request: HostRequest): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** The folder in which the app has stored everything since its last reset. */
export function stateIn(storage: string): string {
  const numbers = readdirSync(storage)
    .filter((name) => name.startsWith(hostFolders.state))
    .map((name) => Number(name.slice(hostFolders.state.length)));
  return join(storage, `${hostFolders.state}${Math.max(...numbers)}`);
}
