/**
 * Where the library draws the labels of a price scale, px from its top: labels that would overlap move away from the middle of the
 * scale, one after the other. `wanted`: the places of their prices.
 */
export function labelPlaces(wanted: readonly number[], labelHeight: number, scaleHeight: number): number[] {
  const middle = scaleHeight / 2;
  const places: number[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const place of wanted.filter((each) => each <= middle).toSorted((a, b) => b - a)) {
    places.push(Math.min(place, next));
    next = Math.min(place, next) - labelHeight;
  }
  next = (places[0] ?? Number.NEGATIVE_INFINITY) + labelHeight;
  for (const place of wanted.filter((each) => each > middle).toSorted((a, b) => a - b)) {
    places.push(Math.max(place, next));
    next = Math.max(place, next) + labelHeight;
  }
  return places;
}
