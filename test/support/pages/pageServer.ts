import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const HTML = "text/html; charset=utf-8";

/** A file as it is served. */
export type ServedFile = readonly [type: string, body: string | Buffer];

/** Serves pages to the browsers of this computer, until the process ends. */
export class PageServer {
  readonly #files = new Map<string, ServedFile>();
  readonly #documents = new Map<string, string>();
  readonly #server: Server;
  readonly #origin: Promise<string>;
  #documentCount = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? "";
      const document = this.#documents.get(path);
      this.#documents.delete(path);
      const file = document === undefined ? this.#files.get(path) : ([HTML, document] as const);
      // Each test loads the same fonts and scripts.
      response.writeHead(file ? 200 : 404, {
        "content-type": file?.[0] ?? "text/plain",
        "cache-control": document === undefined && file ? "max-age=3600" : "no-store",
      });
      response.end(file?.[1]);
    });
    this.#origin = new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
      });
    });
    this.#server.unref();
  }

  /** The origin of every page; a secure context, as in the editor. */
  get origin(): Promise<string> {
    return this.#origin;
  }

  /** Serves files by their paths. */
  add(files: Readonly<Record<string, ServedFile>>): void {
    for (const [path, file] of Object.entries(files)) this.#files.set(path, file);
  }

  /** Serves a document once. Returns its path. */
  addDocument(html: string): string {
    const path = `/${(this.#documentCount += 1)}`;
    this.#documents.set(path, html);
    return path;
  }
}
