import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Pixels of a picture, row by row, four bytes each: red, green, blue and alpha, which is not kept. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

type Color = readonly [red: number, green: number, blue: number];
interface Counted {
  readonly color: Color;
  readonly count: number;
}

const MOST_COLORS = 256;

/**
 * A PNG of at most 256 colours (https://www.w3.org/TR/png-3/, colour type 3): a third of the size of one in true colour, and
 * for a picture of an editor no difference that is seen.
 */
export function palettePng({ width, height, rgba }: Pixels): Buffer {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgba.length; at += 4) {
    const key = keyAt(rgba, at);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const boxes = medianCut([...counts].map(([key, count]) => ({ color: colorOf(key), count })));
  const places = new Map<number, number>();
  for (const [place, box] of boxes.entries()) for (const { color } of box) places.set(keyOf(color), place);
  // Each line begins with its filter: none, which suits a palette best.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + 1 + x] = places.get(keyAt(rgba, (y * width + x) * 4)) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(boxes.flatMap(average))),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Reads a PNG as a browser takes it: 8 bits a channel, red, green, blue and perhaps alpha, not interlaced. */
export function readPng(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [bits, kind, , , interlaced] = png.subarray(24, 29);
  const channels = kind === 6 ? 4 : 3;
  if (bits !== 8 || (kind !== 6 && kind !== 2) || interlaced !== 0) throw new Error("Not a browser's PNG.");
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const lines = inflateSync(Buffer.concat(parts));
  const length = width * channels;
  const rgba = new Uint8Array(width * height * 4).fill(255);
  let above = new Uint8Array(length);
  for (let y = 0; y < height; y += 1) {
    const start = y * (length + 1);
    const line = unfiltered(
      lines[start] ?? 0,
      lines.subarray(start + 1, start + 1 + length),
      above,
      channels,
    );
    for (let x = 0; x < width; x += 1)
      rgba.set(line.subarray(x * channels, x * channels + 3), (y * width + x) * 4);
    above = line;
  }
  return { width, height, rgba };
}

/** A line of pixels without its filter (section 9 of the standard); `step` bytes are one pixel. */
function unfiltered(
  filter: number,
  line: Uint8Array,
  above: Uint8Array,
  step: number,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(line.length);
  for (let at = 0; at < line.length; at += 1) {
    const [a, b, c] = [out[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0];
    const guess = [0, a, b, (a + b) >> 1, filter === 4 ? paeth(a, b, c) : 0][filter] ?? 0;
    out[at] = (line[at] ?? 0) + guess;
  }
  return out;
}

function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (toA <= toB && toA <= toC) return a;
  return toB <= toC ? b : c;
}

/** Splits the colours, each time the box whose widest channel weighs most, at that channel's middle. */
function medianCut(colors: readonly Counted[]): Counted[][] {
  const boxes = [[...colors]];
  const weights = [weightOf(colors)];
  while (boxes.length < MOST_COLORS) {
    const heaviest = weights.reduce(
      (best, { weight }, at) => (weight > (weights[best]?.weight ?? 0) ? at : best),
      0,
    );
    const box = boxes[heaviest] ?? [];
    const { channel, weight } = weights[heaviest] ?? { channel: 0, weight: 0 };
    if (weight === 0) break;
    box.sort((a, b) => (a.color[channel] ?? 0) - (b.color[channel] ?? 0));
    const cut = middleOf(box);
    const halves = [box.slice(0, cut), box.slice(cut)];
    boxes.splice(heaviest, 1, ...halves);
    weights.splice(heaviest, 1, ...halves.map(weightOf));
  }
  return boxes;
}

/** A box's widest channel, and what splitting it would gain: zero where it has one colour. */
function weightOf(box: readonly Counted[]): { channel: number; weight: number } {
  let [channel, widest, total] = [0, 0, 0];
  for (const each of [0, 1, 2] as const) {
    let [low, high] = [255, 0];
    for (const { color } of box) {
      low = Math.min(low, color[each]);
      high = Math.max(high, color[each]);
    }
    if (high - low > widest) [channel, widest] = [each, high - low];
  }
  for (const { count } of box) total += count;
  // A large plain area must not take the colours of small text.
  return { channel, weight: widest * widest * Math.sqrt(total) };
}

/** Where half of the pixels are on each side, with a colour on each. */
function middleOf(box: readonly Counted[]): number {
  const half = box.reduce((sum, { count }) => sum + Math.sqrt(count), 0) / 2;
  let sum = 0;
  const at = box.findIndex(({ count }) => (sum += Math.sqrt(count)) >= half);
  return Math.min(Math.max(at, 1), box.length - 1);
}

function average(box: readonly Counted[]): Color {
  const total = box.reduce((sum, { count }) => sum + count, 0);
  const mean = (channel: 0 | 1 | 2): number =>
    Math.round(box.reduce((sum, { color, count }) => sum + color[channel] * count, 0) / total);
  return [mean(0), mean(1), mean(2)];
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function keyAt(rgba: Uint8Array, at: number): number {
  return ((rgba[at] ?? 0) << 16) | ((rgba[at + 1] ?? 0) << 8) | (rgba[at + 2] ?? 0);
}

function keyOf([red, green, blue]: Color): number {
  return (red << 16) | (green << 8) | blue;
}

function colorOf(key: number): Color {
  return [key >> 16, (key >> 8) & 255, key & 255];
}
