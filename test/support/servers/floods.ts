import { Readable, type Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createBrotliCompress, createDeflate, constants } from "node:zlib";
import { emptyMembers, endless, gzipBomb, HEAD, speaking, ZEROS } from "./faults.ts";
import { answerOf, serveHttp, type LoopbackServer } from "./loopback.ts";

const MEGABYTE = 1024 * 1024;
const BOMB_BYTES = 512 * MEGABYTE;
const INFORMATIONAL = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** A server whose responses are too large or never end. `paceMs`: the pause between two bytes of a slow response. */
export type Flood = (paceMs: number) => Promise<LoopbackServer>;

/** 512 MB of zeros, compressed. */
async function zerosIn(compressor: Transform): Promise<Buffer> {
  const zeros = Array<Buffer>(BOMB_BYTES / ZEROS.length).fill(ZEROS);
  return await buffer(Readable.from(zeros, { objectMode: false }).pipe(compressor));
}

function bomb(encoding: string, bytes: () => Buffer | Promise<Buffer>): Flood {
  return async () => await serveHttp(answerOf(200, await bytes(), { "Content-Encoding": encoding }));
}

function slowly(head: string, piece: string): Flood {
  return (paceMs) => endless(head, piece, paceMs)();
}

const brotli = (): Transform => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

/** Ended by the client's size limit. */
export const largeFloods: Readonly<Record<string, Flood>> = {
  "512 MB in gzip": bomb("gzip", () => gzipBomb),
  "512 MB in deflate": bomb("deflate", () => zerosIn(createDeflate())),
  "512 MB in brotli": bomb("br", () => zerosIn(brotli())),
  "a body without end": endless(`${HEAD}\r\n`, ZEROS),
  "chunks without end": endless(CHUNKED, `ffff\r\n${"x".repeat(0xffff)}\r\n`),
  "empty gzip members without end": endless(`${HEAD}Content-Encoding: gzip\r\n\r\n`, emptyMembers),
  "a body announced as 1 TB": endless(`${HEAD}Content-Length: ${2 ** 40}\r\n\r\n`, ZEROS),
};

/** Ended by the client's size limit or timeout: a flood of smaller chunks takes longer. */
export const smallFloods: Readonly<Record<string, Flood>> = {
  "chunks of a byte without end": endless(CHUNKED, "1\r\nx\r\n".repeat(10_000)),
  "gzip in chunks of a byte without end": endless(
    `${HEAD}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
    Buffer.concat(
      [...emptyMembers.subarray(0, 6000)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])),
    ),
  ),
};

/** Ended by the HTTP parser, which accepts at most 16 KB of headers, or by the limit on informational responses. */
export const headerFloods: Readonly<Record<string, Flood>> = {
  "a header of 1 MB": speaking(`${HEAD}X-Huge: ${"x".repeat(MEGABYTE)}\r\n\r\n{}`),
  "a header without end": endless(`${HEAD}X-Huge: `, "x".repeat(4096)),
  "headers without end": endless(HEAD, "X-Other: x\r\n".repeat(100)),
  "trailers without end": endless(`${CHUNKED}0\r\n`, "X-Other: x\r\n".repeat(100)),
  "too many informational answers": endless("", INFORMATIONAL.repeat(100)),
  "a chunk's extension without end": endless(`${CHUNKED}1`, `;x=${"x".repeat(4096)}`),
};

/** Ended by the client's timeout. */
export const slowFloods: Readonly<Record<string, Flood>> = {
  "no answer at all": speaking(""),
  "headers, a byte at a time": slowly("HTTP/1.1 200 OK\r\nX-Slow: ", "x"),
  "a body, a byte at a time": slowly(`${HEAD}\r\n`, " "),
  "a chunk, a byte at a time": slowly(`${CHUNKED}ffff\r\n`, " "),
  "an informational answer, a byte at a time": slowly("HTTP/1.1 103 Early Hints\r\nX-Slow: ", "x"),
};
