// Draws a tile of the endless map on a canvas: land and water, contour lines, roads, towns. Tiles
// join without seams because everything follows from places on the map.
import { tileSide } from './protocol';
import { hash, heightAt, seaLevel, townCell, townIn, type Town } from './terrain';

/** Pixels from one height to the next. */
const step = 4;
/** Heights of a side, with those around the tile. */
const side = tileSide / step + 3;
/** How far a label reaches over the border of its tile. */
const reach = 110;

const ramp: Array<[number, number, number, number]> = [
  [0.2, 116, 164, 203],
  [seaLevel - 0.01, 168, 205, 226],
  [seaLevel, 232, 226, 198],
  [0.52, 205, 219, 172],
  [0.58, 172, 202, 150],
  [0.64, 190, 190, 150],
  [0.72, 176, 160, 140],
  [0.8, 240, 240, 240],
];

function landColor(height: number, shade: number, out: Uint8ClampedArray, at: number): void {
  let upper = ramp.findIndex(([limit]) => height < limit);
  if (upper < 0) upper = ramp.length - 1;
  const low = ramp[Math.max(0, upper - 1)]!;
  const high = ramp[upper]!;
  const part = high[0] > low[0] ? Math.min(Math.max((height - low[0]) / (high[0] - low[0]), 0), 1) : 0;
  for (let i = 0; i < 3; ++i) out[at + i] = (low[i + 1]! + (high[i + 1]! - low[i + 1]!) * part) * shade;
  out[at + 3] = 255;
}

export class TilePainter {
  private readonly canvas = new OffscreenCanvas(tileSide, tileSide);
  private readonly land = new OffscreenCanvas(side, side);
  private readonly context = this.canvas.getContext('2d', { willReadFrequently: true })!;
  private readonly landContext = this.land.getContext('2d', { willReadFrequently: true })!;
  private readonly landPixels = new ImageData(side, side);
  private readonly heights = new Float32Array(side * side);

  /** The pixels of the tile, row by row. */
  paint(column: number, row: number): Uint8ClampedArray {
    const left = column * tileSide;
    const top = row * tileSide;
    const { context } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.paintLand(left, top);
    this.strokeContours();
    context.setTransform(1, 0, 0, 1, -left, -top);
    this.drawPlaces(left, top);
    return context.getImageData(0, 0, tileSide, tileSide).data;
  }

  private paintLand(left: number, top: number): void {
    const { heights, landPixels } = this;
    for (let y = 0; y < side; ++y) {
      for (let x = 0; x < side; ++x) {
        heights[y * side + x] = heightAt(left + (x - 1) * step, top + (y - 1) * step);
      }
    }
    for (let y = 0; y < side; ++y) {
      for (let x = 0; x < side; ++x) {
        const here = heights[y * side + x]!;
        // Only samples inside are seen, so those at the border may repeat their neighbour.
        const slope = here - heights[Math.max(0, y - 1) * side + Math.max(0, x - 1)]!;
        const shade = here < seaLevel ? 1 : Math.min(Math.max(1 + slope * 9, 0.72), 1.16);
        landColor(here, shade, landPixels.data, (y * side + x) * 4);
      }
    }
    this.landContext.putImageData(landPixels, 0, 0);
    // Sample 1 belongs to pixel 0 of the tile, and a sample's middle is half a sample further on.
    const shift = -1.5 * step;
    this.context.imageSmoothingQuality = 'medium';
    this.context.drawImage(this.land, shift, shift, side * step, side * step);
  }

  /** Lines of equal height: where a level crosses the sides of a square of samples. */
  private strokeContours(): void {
    const { context, heights } = this;
    context.beginPath();
    for (let level = seaLevel + 0.03; level < 0.85; level += 0.03) {
      for (let y = 1; y < side - 2; ++y) {
        for (let x = 1; x < side - 2; ++x) this.contourIn(x, y, level, heights);
      }
    }
    context.strokeStyle = 'rgb(112 84 48 / 0.28)';
    context.lineWidth = 1;
    context.stroke();
  }

  private contourIn(x: number, y: number, level: number, heights: Float32Array): void {
    const at = y * side + x;
    const a = heights[at]! - level;
    const b = heights[at + 1]! - level;
    const c = heights[at + side + 1]! - level;
    const d = heights[at + side]! - level;
    if (a > 0 === b > 0 && b > 0 === c > 0 && c > 0 === d > 0) return;
    const points: Array<[number, number]> = [];
    const cross = (p: number, q: number) => p / (p - q);
    if (a > 0 !== b > 0) points.push([x + cross(a, b), y]);
    if (b > 0 !== c > 0) points.push([x + 1, y + cross(b, c)]);
    if (c > 0 !== d > 0) points.push([x + 1 - cross(c, d), y + 1]);
    if (d > 0 !== a > 0) points.push([x, y + 1 - cross(d, a)]);
    for (let i = 0; i + 1 < points.length; i += 2) {
      this.context.moveTo((points[i]![0] - 1) * step, (points[i]![1] - 1) * step);
      this.context.lineTo((points[i + 1]![0] - 1) * step, (points[i + 1]![1] - 1) * step);
    }
  }

  private drawPlaces(left: number, top: number): void {
    const firstX = Math.floor((left - reach) / townCell) - 1;
    const lastX = Math.floor((left + tileSide + reach) / townCell) + 1;
    const firstY = Math.floor((top - reach) / townCell) - 1;
    const lastY = Math.floor((top + tileSide + reach) / townCell) + 1;
    const towns: Town[] = [];
    const roads = new Path2D();
    for (let y = firstY; y <= lastY; ++y) {
      for (let x = firstX; x <= lastX; ++x) {
        const town = townIn(x, y);
        if (!town) continue;
        towns.push(town);
        for (const neighbour of [townIn(x + 1, y), townIn(x, y + 1)]) {
          if (neighbour) addRoad(roads, town, neighbour, hash(x, y, 60) - 0.5);
        }
      }
    }
    this.strokeRoads(roads);
    for (const town of towns) this.drawTown(town);
  }

  private strokeRoads(roads: Path2D): void {
    const { context } = this;
    context.lineCap = 'round';
    for (const [style, width] of [['#b9925a', 4.5], ['#ffeebf', 2.6]] as const) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.stroke(roads);
    }
  }

  private drawTown({ x, y, name, isLarge }: Town): void {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, isLarge ? 5 : 3.5, 0, Math.PI * 2);
    context.fillStyle = '#fff';
    context.fill();
    context.strokeStyle = '#3d3428';
    context.lineWidth = isLarge ? 2.2 : 1.6;
    context.stroke();
    context.font = `${isLarge ? '600 15px' : '12.5px'} system-ui, sans-serif`;
    context.lineJoin = 'round';
    context.strokeStyle = 'rgb(255 255 255 / 0.85)';
    context.lineWidth = 3;
    context.strokeText(name, x + 9, y - 6);
    context.fillStyle = '#2b2620';
    context.fillText(name, x + 9, y - 6);
  }
}

function addRoad(path: Path2D, from: Town, to: Town, bend: number): void {
  const middleX = (from.x + to.x) / 2 + (to.y - from.y) * bend * 0.6;
  const middleY = (from.y + to.y) / 2 - (to.x - from.x) * bend * 0.6;
  if (heightAt(middleX, middleY) < seaLevel) return;
  path.moveTo(from.x, from.y);
  path.quadraticCurveTo(middleX, middleY, to.x, to.y);
}
