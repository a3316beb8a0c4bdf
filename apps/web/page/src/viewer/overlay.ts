// Lines over the picture: the grid of blocks or the quadtree, the chosen block, its domain and the
// borders of panes.
import type { Leaves } from '../engine/protocol';
import type { Viewport } from './viewport';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface OverlayContent {
  /** Texels; 0: no grid. */
  blockWidth: number;
  blockHeight: number;
  showGrid: boolean;
  leaves: Leaves | null;
  chosen: Rect | null;
  domain: Rect | null;
  picture: { width: number; height: number };
}

/** Lines closer than this (CSS pixels) would hide the picture. */
const closestLines = 7;
const closestLeaves = 4;

const accent = '#ffb224';
const casing = 'rgb(0 0 0 / 0.75)';
const domainColor = '#4cc2ff';

export function drawOverlay(
  context: CanvasRenderingContext2D,
  content: OverlayContent,
  viewport: Viewport,
  paneWidth: number,
  panes: number,
  pixelRatio: number,
): void {
  const { width, height } = context.canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  for (let pane = 0; pane < panes; ++pane) {
    context.setTransform(pixelRatio, 0, 0, pixelRatio, pane * paneWidth * pixelRatio, 0);
    context.save();
    context.beginPath();
    context.rect(0, 0, paneWidth, height / pixelRatio);
    context.clip();
    if (content.leaves && content.showGrid) drawLeaves(context, content.leaves, viewport, paneWidth, height);
    else if (content.showGrid) drawGrid(context, content, viewport);
    if (content.domain && content.chosen) drawDomain(context, content.domain, content.chosen, viewport);
    if (content.chosen) strokeRect(context, onScreen(content.chosen, viewport), accent, 2);
    context.restore();
    if (pane > 0) {
      context.fillStyle = 'rgb(255 255 255 / 0.85)';
      context.fillRect(-1, 0, 2, height);
    }
  }
}

function onScreen(rect: Rect, { scale, origin }: Viewport): Rect {
  return {
    x: origin.x + rect.x * scale,
    y: origin.y + rect.y * scale,
    width: rect.width * scale,
    height: rect.height * scale,
  };
}

/** A light line with a dark one beneath is seen on every picture. */
function strokeRect(context: CanvasRenderingContext2D, rect: Rect, color: string, width: number): void {
  const { x, y } = rect;
  context.lineJoin = 'round';
  for (const [style, lineWidth] of [[casing, width + 2], [color, width]] as const) {
    context.strokeStyle = style;
    context.lineWidth = lineWidth;
    context.strokeRect(x, y, rect.width, rect.height);
  }
}

function drawGrid(context: CanvasRenderingContext2D, content: OverlayContent, viewport: Viewport): void {
  const { blockWidth, blockHeight, picture } = content;
  const { scale, origin } = viewport;
  if (blockWidth === 0 || Math.min(blockWidth, blockHeight) * scale < closestLines) return;
  const right = origin.x + picture.width * scale;
  const bottom = origin.y + picture.height * scale;
  context.beginPath();
  for (let x = origin.x; x <= right + 0.5; x += blockWidth * scale) {
    context.moveTo(Math.round(x) + 0.5, origin.y);
    context.lineTo(Math.round(x) + 0.5, bottom);
  }
  for (let y = origin.y; y <= bottom + 0.5; y += blockHeight * scale) {
    context.moveTo(origin.x, Math.round(y) + 0.5);
    context.lineTo(right, Math.round(y) + 0.5);
  }
  context.strokeStyle = 'rgb(255 255 255 / 0.28)';
  context.lineWidth = 1;
  context.stroke();
}

function drawLeaves(
  context: CanvasRenderingContext2D,
  leaves: Leaves,
  { scale, origin }: Viewport,
  paneWidth: number,
  paneHeight: number,
): void {
  context.beginPath();
  for (let i = 0; i < leaves.xs.length; ++i) {
    const side = leaves.sides[i]! * scale;
    const x = origin.x + leaves.xs[i]! * scale;
    const y = origin.y + leaves.ys[i]! * scale;
    if (side < closestLeaves || x > paneWidth || y > paneHeight || x + side < 0 || y + side < 0) continue;
    context.rect(Math.round(x) + 0.5, Math.round(y) + 0.5, side, side);
  }
  context.strokeStyle = 'rgb(255 255 255 / 0.42)';
  context.lineWidth = 1;
  context.stroke();
}

/** An arrow from the domain to the leaf that is its copy. */
function drawDomain(context: CanvasRenderingContext2D, domain: Rect, leaf: Rect, viewport: Viewport): void {
  const from = onScreen(domain, viewport);
  const to = onScreen(leaf, viewport);
  strokeRect(context, from, domainColor, 2);
  const start = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
  const end = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  const head = 9;
  if (Math.hypot(end.x - start.x, end.y - start.y) < head) return;
  for (const [style, lineWidth] of [[casing, 4], [domainColor, 2]] as const) {
    context.strokeStyle = style;
    context.lineWidth = lineWidth;
    context.beginPath();
    context.moveTo(start.x, start.y);
    context.lineTo(end.x, end.y);
    for (const turn of [-0.45, 0.45]) {
      context.moveTo(end.x, end.y);
      context.lineTo(end.x - head * Math.cos(angle + turn), end.y - head * Math.sin(angle + turn));
    }
    context.stroke();
  }
}
