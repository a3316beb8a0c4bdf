// Colours of the theme that the renderers need as numbers.

export type Color = [number, number, number];

export interface Colors {
  background: Color;
  checkers: [Color, Color];
}

const dark: Colors = {
  background: [0.055, 0.063, 0.078],
  checkers: [[0.16, 0.17, 0.19], [0.22, 0.23, 0.25]],
};

const light: Colors = {
  background: [0.91, 0.918, 0.933],
  checkers: [[0.97, 0.97, 0.975], [0.86, 0.865, 0.875]],
};

export function themeColors(): Colors {
  return document.documentElement.dataset['theme'] === 'dark' ? dark : light;
}

export function cssColor(color: Color): string {
  return `rgb(${color.map((part) => Math.round(part * 255)).join(' ')})`;
}
