// Colours of maps. They keep their order of brightness for eyes that do not tell red from green.

export type Rgb = [number, number, number];

/** The last one stands for all that follow. */
export const categoryColors: Rgb[] = [
  [59, 104, 196],
  [242, 178, 61],
  [44, 158, 137],
  [211, 84, 107],
  [142, 101, 196],
  [126, 196, 232],
  [184, 122, 58],
  [150, 196, 92],
  [140, 140, 148],
];

export const leafKinds: Array<{ color: Rgb; label: string }> = [
  { color: [59, 104, 196], label: 'flat: one brightness' },
  { color: [242, 178, 61], label: 'fractal: a copy of another place' },
  { color: [44, 158, 137], label: 'cosine transform' },
];

const heatStops: Rgb[] = [
  [13, 17, 48],
  [66, 29, 112],
  [150, 44, 107],
  [224, 88, 65],
  [251, 170, 48],
  [252, 250, 191],
];

/** `heat` from 0 (dark) to 1 (bright); more counts as 1. */
export function heatColor(heat: number): Rgb {
  const at = Math.min(Math.max(heat, 0), 1) * (heatStops.length - 1);
  const stop = Math.min(Math.floor(at), heatStops.length - 2);
  const part = at - stop;
  const low = heatStops[stop]!;
  const high = heatStops[stop + 1]!;
  return [0, 1, 2].map((i) => Math.round(low[i]! + (high[i]! - low[i]!) * part)) as Rgb;
}
