/** px */
const [WIDTH, HEIGHT, MARGIN] = [240, 48, 3];
/** Readable on light and dark backgrounds, because an image of a tooltip cannot follow the theme. */
const COLOUR = "#808080";

/**
 * A picture of prices in equal steps of time, the oldest first, as the address of an image. A missing price is a gap.
 * Undefined with fewer than two prices.
 */
export function sparkline(prices: readonly (number | undefined)[]): string | undefined {
  const known = prices.filter((price) => price !== undefined);
  if (known.length < 2) return undefined;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (at: number): number => MARGIN + (at / (prices.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (price: number): number =>
    high === low ? HEIGHT / 2 : MARGIN + ((high - price) / (high - low)) * (HEIGHT - 2 * MARGIN);
  const points = prices.flatMap((price, at) =>
    price === undefined ? [] : [{ isAfterGap: prices[at - 1] === undefined, x: x(at), y: y(price) }],
  );
  // A point between two gaps is a line of no length, which round ends make visible.
  const path = points
    .map(
      (point) =>
        `${point.isAfterGap ? `M${place(point.x)} ${place(point.y)}` : ""}L${place(point.x)} ${place(point.y)}`,
    )
    .join("");
  const last = points.at(-1);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    `<path d="${path}" fill="none" stroke="${COLOUR}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>` +
    (last ? `<circle cx="${place(last.x)}" cy="${place(last.y)}" r="2.5" fill="${COLOUR}"/>` : "") +
    "</svg>";
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

function place(value: number): string {
  return value.toFixed(1);
}
