// The land of the endless map: heights and names that follow from the place alone.

/** A number of 0 to 1 that looks random and depends on two whole numbers and a seed. */
export function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function smoothNoise(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const ease = (t: number) => t * t * (3 - 2 * t);
  const u = ease(x - left);
  const v = ease(y - top);
  const upper = hash(left, top, seed) * (1 - u) + hash(left + 1, top, seed) * u;
  const lower = hash(left, top + 1, seed) * (1 - u) + hash(left + 1, top + 1, seed) * u;
  return upper * (1 - v) + lower * v;
}

export const seaLevel = 0.44;

/** Height at a pixel of the map, 0 to 1. */
export function heightAt(x: number, y: number): number {
  let sum = 0;
  let weight = 0.5;
  let scale = 1 / 420;
  for (let octave = 0; octave < 5; ++octave) {
    sum += smoothNoise(x * scale, y * scale, octave) * weight;
    weight *= 0.5;
    scale *= 2.1;
  }
  return sum / 0.96875;
}

export interface Town {
  x: number;
  y: number;
  name: string;
  isLarge: boolean;
}

export const townCell = 150;
const beginnings = ['Al', 'Bre', 'Ca', 'Dor', 'El', 'Fal', 'Gro', 'Hal', 'Is', 'Kar', 'Lo', 'Mer', 'Nor', 'Ost', 'Per', 'Sal', 'Tan', 'Ver'];
const middles = ['', 'ba', 'den', 'li', 'mo', 'ri', 'sa', 've'];
const endings = ['berg', 'dal', 'field', 'haven', 'ik', 'ley', 'mark', 'nau', 'sund', 'ton', 'vik', 'wald'];

/** The town of a cell, or null where there is water or nobody. */
export function townIn(cellX: number, cellY: number): Town | null {
  const pick = (list: string[], seed: number) => list[Math.floor(hash(cellX, cellY, seed) * list.length)]!;
  const x = (cellX + 0.2 + 0.6 * hash(cellX, cellY, 50)) * townCell;
  const y = (cellY + 0.2 + 0.6 * hash(cellX, cellY, 51)) * townCell;
  const height = heightAt(x, y);
  if (height < seaLevel + 0.015 || height > 0.68 || hash(cellX, cellY, 52) < 0.25) return null;
  const name = pick(beginnings, 53) + pick(middles, 54) + pick(endings, 55);
  return { x, y, name, isLarge: hash(cellX, cellY, 56) > 0.75 };
}
