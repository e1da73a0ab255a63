import { Readable, type Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createBrotliCompress, createDeflate, constants, gzipSync } from "node:zlib";
import { gzipBomb } from "./faults.ts";
import { serveHttp, serveRaw, type LoopbackServer } from "./loopback.ts";

const MEGABYTE = 1024 * 1024;
const BOMB_BYTES = 512 * MEGABYTE;
const ZEROS = Buffer.alloc(64 * 1024);
const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const INFORMATIONAL = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** A server whose every answer is too much, or never comes to its end. `paceMs`: the pause between two bytes of a slow one. */
export type Flood = (paceMs: number) => Promise<LoopbackServer>;

/** 512 MB of zeros, as a compressor makes them small. */
async function zerosIn(compressor: Transform): Promise<Buffer> {
  const zeros = Array<Buffer>(BOMB_BYTES / ZEROS.length).fill(ZEROS);
  return await buffer(Readable.from(zeros, { objectMode: false }).pipe(compressor));
}

function bomb(encoding: string, bytes: () => Buffer | Promise<Buffer>): Flood {
  return async () => {
    const bomb = await bytes();
    return await serveHttp((_request, response) => {
      response.writeHead(200, { "Content-Encoding": encoding }).end(bomb);
    });
  };
}

/** Writes `piece` after `head`, as fast as it is taken or at the given pace, until the other side goes away. */
function endless(head: string, piece: string | Buffer, isSlow = false): Flood {
  return (paceMs) =>
    serveRaw((socket) => {
      socket.write(head);
      const more = (): void => {
        if (socket.destroyed) return;
        if (isSlow) socket.write(piece, () => setTimeout(more, paceMs).unref());
        else socket.write(piece, () => setImmediate(more));
      };
      more();
    });
}

function once(text: string): Flood {
  return () => serveRaw((socket) => void socket.write(text));
}

const brotli = (): Transform => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
const emptyMembers = Buffer.concat(Array<Buffer>(3000).fill(gzipSync("")));

/** Ended by the client's limit on size. */
export const largeFloods: Readonly<Record<string, Flood>> = {
  "512 MB in gzip": bomb("gzip", () => gzipBomb),
  "512 MB in deflate": bomb("deflate", () => zerosIn(createDeflate())),
  "512 MB in brotli": bomb("br", () => zerosIn(brotli())),
  "a body without end": endless(`${HEAD}\r\n`, ZEROS),
  "chunks without end": endless(CHUNKED, `ffff\r\n${"x".repeat(0xffff)}\r\n`),
  "empty gzip members without end": endless(`${HEAD}Content-Encoding: gzip\r\n\r\n`, emptyMembers),
  "a body announced as 1 TB": endless(`${HEAD}Content-Length: ${2 ** 40}\r\n\r\n`, ZEROS),
};

/** Ended by the client's limit on size, or on time: the smaller its pieces, the longer a flood takes. */
export const smallFloods: Readonly<Record<string, Flood>> = {
  "chunks of a byte without end": endless(CHUNKED, "1\r\nx\r\n".repeat(10_000)),
  "gzip in chunks of a byte without end": endless(
    `${HEAD}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
    Buffer.concat(
      [...emptyMembers.subarray(0, 6000)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])),
    ),
  ),
};

/** Ended by the parser of HTTP, which holds at most 16 KB of headers, or by the limit on informational answers. */
export const headerFloods: Readonly<Record<string, Flood>> = {
  "a header of 1 MB": once(`${HEAD}X-Huge: ${"x".repeat(MEGABYTE)}\r\n\r\n{}`),
  "a header without end": endless(`${HEAD}X-Huge: `, "x".repeat(4096)),
  "headers without end": endless(HEAD, "X-Other: x\r\n".repeat(100)),
  "trailers without end": endless(`${CHUNKED}0\r\n`, "X-Other: x\r\n".repeat(100)),
  "too many informational answers": endless("", INFORMATIONAL.repeat(100)),
  "a chunk's extension without end": endless(`${CHUNKED}1`, `;x=${"x".repeat(4096)}`),
};

/** Ended by the client's limit on time. */
export const slowFloods: Readonly<Record<string, Flood>> = {
  "no answer at all": once(""),
  "headers, a byte at a time": endless("HTTP/1.1 200 OK\r\nX-Slow: ", "x", true),
  "a body, a byte at a time": endless(`${HEAD}\r\n`, " ", true),
  "a chunk, a byte at a time": endless(`${CHUNKED}ffff\r\n`, " ", true),
  "an informational answer, a byte at a time": endless("HTTP/1.1 103 Early Hints\r\nX-Slow: ", "x", true),
};
