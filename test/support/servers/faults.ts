import { gzipSync } from "node:zlib";
import { answerOf, serveHttp, serveRaw, type LoopbackServer } from "./loopback.ts";

export const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
export const ZEROS = Buffer.alloc(64 * 1024);
const SLOW_MS = 20;

/** A server that fails in one way, on every path; `expected` is the error's kind and reason, or error code. */
export interface Fault {
  readonly expected: readonly [kind: string, reason: string | number];
  /** The fault is transient, so a read is retried. */
  readonly transient?: true;
  start(): Promise<LoopbackServer>;
}

function answering(...answer: Parameters<typeof answerOf>) {
  return () => serveHttp(answerOf(...answer));
}

export function speaking(text: string, then: "end" | "reset" | "stay" = "stay") {
  return () =>
    serveRaw((socket) => {
      socket.write(text, "latin1", () => {
        if (then === "end") socket.end();
        else if (then === "reset") socket.resetAndDestroy();
      });
    });
}

/** Writes `piece` after `head`, as fast as it is read or with pauses, until the peer closes. */
export function endless(head: string, piece: string | Buffer, pauseMs?: number) {
  return () =>
    serveRaw((socket) => {
      socket.write(head);
      const more = (): void => {
        if (socket.destroyed) return;
        if (pauseMs === undefined) socket.write(piece, () => setImmediate(more));
        else socket.write(piece, () => setTimeout(more, pauseMs));
      };
      more();
    });
}

/** 512 MB of zeros in half a megabyte of gzip, in members of a megabyte. */
export const gzipBomb = Buffer.concat(Array<Buffer>(512).fill(gzipSync(Buffer.alloc(1024 * 1024))));

export const emptyMembers = Buffer.concat(Array<Buffer>(3000).fill(gzipSync("")));

const cutGzip = gzipSync('{"error":0,"result":{"id":"1","typ":"limit"}}').subarray(0, 20);

export const faults: Readonly<Record<string, Fault>> = {
  "never answers": { transient: true, expected: ["noAnswer", "timeout"], start: speaking("") },
  "stops within the headers": { transient: true, expected: ["noAnswer", "timeout"], start: speaking(HEAD) },
  "stops within the body": {
    transient: true,
    expected: ["noAnswer", "timeout"],
    start: speaking(`${HEAD}Content-Length: 100\r\n\r\n{"error":0`),
  },
  "sends its headers a byte at a time": {
    transient: true,
    expected: ["noAnswer", "timeout"],
    start: endless("HTTP/1.1 200 OK\r\nX-Slow: ", Buffer.from("x"), SLOW_MS),
  },
  "sends its body a byte at a time": {
    transient: true,
    expected: ["noAnswer", "timeout"],
    start: endless(`${HEAD}\r\n`, Buffer.from(" "), SLOW_MS),
  },
  "resets before the headers": {
    transient: true,
    expected: ["noAnswer", "connectionLost"],
    start: speaking("", "reset"),
  },
  "closes before the headers": {
    transient: true,
    expected: ["noAnswer", "connectionLost"],
    start: speaking("", "end"),
  },
  "resets within the body": {
    transient: true,
    expected: ["noAnswer", "connectionLost"],
    start: speaking(`${HEAD}Content-Length: 100\r\n\r\n{"error":0}`, "reset"),
  },
  "closes within the body": {
    transient: true,
    expected: ["noAnswer", "connectionLost"],
    start: speaking(`${HEAD}Content-Length: 100\r\n\r\n{"error":0}`, "end"),
  },
  "closes within a chunk": {
    transient: true,
    expected: ["noAnswer", "connectionLost"],
    start: speaking(`${HEAD}Transfer-Encoding: chunked\r\n\r\n64\r\n{"error":0}`, "end"),
  },
  "sends a broken chunk": {
    expected: ["noAnswer", "notHttp"],
    start: speaking(`${HEAD}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`),
  },
  "does not speak HTTP": {
    expected: ["noAnswer", "notHttp"],
    start: speaking("220 ready\r\n"),
  },
  "changes the protocol": {
    transient: true,
    expected: ["noAnswer", "connectionLost"],
    start: speaking("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  },
  "sends huge headers": {
    expected: ["noAnswer", "notHttp"],
    start: speaking(`${HEAD}X-Huge: ${"x".repeat(200_000)}\r\n\r\n{}`),
  },
  "cuts its JSON at the end of the connection": {
    expected: ["unreadable", "notJson"],
    start: speaking(`${HEAD}\r\n{"error":0,"result":{"id":"1"`, "end"),
  },
  "cuts its gzip data": {
    expected: ["unreadable", "notJson"],
    start: answering(200, cutGzip, { "Content-Encoding": "gzip" }),
  },
  ...Object.fromEntries(
    ["gzip", "br", "deflate", "utf-8", "constructor"].map((label) => [
      `labels a plain refusal as ${label}`,
      {
        expected: ["refused", 18],
        start: answering(200, '{"error":18}', { "Content-Encoding": label }),
      } satisfies Fault,
    ]),
  ),
  "labels a plain error page as gzip": {
    transient: true,
    expected: ["unreadable", "httpStatus"],
    start: answering(502, "<html>Bad", { "Content-Encoding": "gzip" }),
  },
  "answers 502 with broken gzip data": {
    transient: true,
    expected: ["unreadable", "httpStatus"],
    start: answering(502, cutGzip, { "Content-Encoding": "gzip" }),
  },
  "compresses with an unknown encoding": {
    expected: ["unreadable", "notJson"],
    start: answering(200, cutGzip, { "Content-Encoding": "constructor" }),
  },
  "answers HTML with 200": { expected: ["unreadable", "notJson"], start: answering(200, "<html>ok</html>") },
  "answers nothing with 200": { expected: ["unreadable", "notJson"], start: answering(200, "") },
  "answers nothing with 204": { expected: ["unreadable", "notJson"], start: answering(204, "") },
  "answers HTML with 502": {
    transient: true,
    expected: ["unreadable", "httpStatus"],
    start: answering(502, "<html>Bad"),
  },
  "answers HTML with 520": {
    transient: true,
    expected: ["unreadable", "httpStatus"],
    start: answering(520, "<html>Bad"),
  },
  "answers HTML with 403": { expected: ["unreadable", "httpStatus"], start: answering(403, "<html>No") },
  "answers an unknown shape": {
    expected: ["unreadable", "shape"],
    start: answering(200, '{"status":"ok","data":[1]}'),
  },
  "answers null": { expected: ["unreadable", "shape"], start: answering(200, "null") },
  "answers with a gzip bomb": {
    expected: ["unreadable", "tooLarge"],
    start: answering(200, gzipBomb, { "Content-Encoding": "gzip" }),
  },
  "streams a body without end": {
    expected: ["unreadable", "tooLarge"],
    start: endless(`${HEAD}\r\n`, ZEROS),
  },
  "streams empty gzip members without end": {
    expected: ["unreadable", "tooLarge"],
    start: endless(`${HEAD}Content-Encoding: gzip\r\n\r\n`, emptyMembers),
  },
  "announces a body beyond the limit": {
    expected: ["unreadable", "tooLarge"],
    start: speaking(`${HEAD}Content-Length: 999999999999\r\n\r\n{`),
  },
  "blocks by HTTP status": { expected: ["refused", 429], start: answering(429, "slow down") },
  "blocks by error 30": { expected: ["refused", 30], start: answering(200, '{"error":30}') },
  "refuses by a code of the table": {
    expected: ["refused", 18],
    start: answering(200, '{"error":18,"message":"Insufficient balance"}'),
  },
  "refuses by an undocumented code": { expected: ["refused", 777], start: answering(200, '{"error":777}') },
  "refuses by a text code": {
    expected: ["refused", "V1007-CW"],
    start: answering(401, '{"code":"V1007-CW","message":"Invalid key","data":{}}'),
  },
};
