// Numbers as people read them.

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e5 ? 1 : 0)} KB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
}

export function decibelsText(decibels: number): string {
  return Number.isFinite(decibels) ? decibels.toFixed(2) : 'no error';
}

/** Three digits that matter. */
export function shortText(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

export function secondsText(seconds: number): string {
  return seconds < 1 ? `${shortText(seconds * 1000)} ms` : `${shortText(seconds)} s`;
}

export function percentText(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`;
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}

export function bitsPerPixelOf(block: string): number {
  const [width, height] = block.split('x').map(Number) as [number, number];
  return 128 / (width * height);
}
