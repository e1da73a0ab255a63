/** How people write an asset beside an amount: its name, and for a currency its sign, such as `฿`. */
export function unitNames(asset: string): readonly string[] {
  if (!/^[A-Z]{3}$/.test(asset)) return [asset];
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency: asset,
    currencyDisplay: "narrowSymbol",
  });
  const sign = format.formatToParts(0).find(({ type }) => type === "currency")?.value;
  return sign === undefined || sign === asset ? [asset] : [asset, sign];
}
