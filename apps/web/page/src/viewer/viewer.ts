// The viewer: canvas, overlay, divider, gestures and keys put together.
import { Divider } from './divider';
import { listenForGestures } from './gestures';
import { listenForKeys } from './keys';
import { drawOverlay, type OverlayContent, type Rect } from './overlay';
import { paneCount, type PictureRenderer } from './picture-renderer';
import { themeColors } from './theme-colors';
import { Viewport, type Point, type View } from './viewport';

export interface ViewerElements {
  root: HTMLElement;
  picture: HTMLCanvasElement;
  overlay: HTMLCanvasElement;
  divider: HTMLElement;
  labels: HTMLElement;
}

export interface ViewerEvents {
  /** A texel was pointed at, or none any more. */
  onPoint(texel: Point | null): void;
  /** The cursor was moved by so many blocks. */
  onMoveCursor(dx: number, dy: number): void;
  onZoom(scale: number): void;
}

const paneNames: Record<View, string[]> = {
  split: ['Original', 'Result'],
  panes: ['Original', 'Result', 'Error'],
  original: ['Original'],
  result: ['Result'],
  error: ['Error'],
};

export class Viewer {
  readonly viewport = new Viewport();
  private readonly scene = { view: 'split' as View, divider: 0.5, gain: 8, mapOpacity: 0.75 };
  private renderer: PictureRenderer | null = null;
  private readonly divider: Divider;
  private readonly overlayContext: CanvasRenderingContext2D;
  private frameAsked = false;
  private pictureChanged = false;
  private content: OverlayContent = {
    blockWidth: 0,
    blockHeight: 0,
    showGrid: true,
    leaves: null,
    chosen: null,
    domain: null,
    picture: { width: 0, height: 0 },
  };

  constructor(
    private readonly elements: ViewerElements,
    private readonly events: ViewerEvents,
  ) {
    this.overlayContext = elements.overlay.getContext('2d')!;
    this.divider = new Divider(elements.divider, elements.root, () => {
      this.scene.divider = this.divider.value;
      this.redraw();
    });
    listenForGestures(elements.root, {
      pan: (dx, dy) => this.change(() => this.viewport.panBy(dx, dy)),
      zoom: (at, factor) => this.change(() => this.viewport.zoomAt(this.inPane(at), factor)),
      point: (at) => events.onPoint(at && this.viewport.texelAt(this.inPane(at))),
    });
    listenForKeys(elements.root, {
      moveCursor: (dx, dy) => events.onMoveCursor(dx, dy),
      pan: (dx, dy) => this.change(() => this.viewport.panBy(dx, dy)),
      zoom: (factor) => this.zoom(factor),
      fit: () => this.fit(),
      actualSize: () => this.actualSize(),
      moveDivider: (by) => this.divider.set(this.divider.value + by),
      clearCursor: () => events.onPoint(null),
    });
    new ResizeObserver(() => this.resize()).observe(elements.root);
    this.resize();
    this.showLabels();
  }

  /** Another canvas takes the place of one that cannot be drawn on any more. */
  setSurface(picture: HTMLCanvasElement, renderer: PictureRenderer): void {
    if (picture !== this.elements.picture) this.elements.picture.replaceWith(picture);
    this.elements.picture = picture;
    this.renderer = renderer;
    this.redraw();
  }

  setPictureSize(width: number, height: number): void {
    this.content = { ...this.content, picture: { width, height }, chosen: null, domain: null, leaves: null };
    this.change(() => this.viewport.setPicture(width, height));
  }

  setView(view: View): void {
    this.scene.view = view;
    this.divider.setVisible(view === 'split');
    this.showLabels();
    this.resize();
  }

  setGain(gain: number): void {
    this.scene.gain = gain;
    this.redraw();
  }

  /** The lines alone are drawn again, which is cheap even where drawing the picture is not. */
  setOverlay(content: Partial<OverlayContent>): void {
    this.content = { ...this.content, ...content };
    this.askForFrame();
  }

  get chosen(): Rect | null {
    return this.content.chosen;
  }

  reveal(rect: Rect): void {
    this.change(() => this.viewport.reveal(rect));
  }

  lookAt(rect: Rect): void {
    // Beside the divider the block is seen as a whole, and as the result shows it.
    const part = this.scene.view === 'split' ? (1 + Math.min(this.scene.divider, 0.7)) / 2 : 0.5;
    this.elements.root.scrollIntoView({ block: 'nearest' });
    this.change(() => this.viewport.lookAt(rect, part));
  }

  zoom(factor: number): void {
    this.change(() => this.viewport.zoomAtMiddle(factor));
  }

  fit(): void {
    this.change(() => this.viewport.fit());
  }

  actualSize(): void {
    this.change(() => this.viewport.actualSize(devicePixelRatio));
  }

  redraw(): void {
    this.pictureChanged = true;
    this.askForFrame();
  }

  private askForFrame(): void {
    if (this.frameAsked) return;
    this.frameAsked = true;
    requestAnimationFrame(() => {
      this.frameAsked = false;
      if (this.pictureChanged) this.drawPicture();
      this.drawLines();
    });
  }

  private get paneWidth(): number {
    return this.elements.root.clientWidth / paneCount(this.scene.view);
  }

  private inPane(point: Point): Point {
    return { x: point.x % this.paneWidth, y: point.y };
  }

  private change(act: () => void): void {
    act();
    // Where the whole picture is seen, a finger scrolls the page.
    this.elements.root.style.touchAction = this.viewport.isFitted ? 'pan-y' : 'none';
    this.events.onZoom(this.viewport.scale * devicePixelRatio);
    this.redraw();
  }

  private resize(): void {
    const { root, overlay } = this.elements;
    overlay.width = Math.max(1, Math.round(root.clientWidth * devicePixelRatio));
    overlay.height = Math.max(1, Math.round(root.clientHeight * devicePixelRatio));
    this.viewport.setPane(this.paneWidth, root.clientHeight);
    // A canvas is empty after its size was set, until the next frame if nobody draws before.
    this.drawPicture();
    this.drawLines();
    this.events.onZoom(this.viewport.scale * devicePixelRatio);
  }

  private showLabels(): void {
    const { labels } = this.elements;
    labels.dataset['view'] = this.scene.view;
    labels.replaceChildren(
      ...paneNames[this.scene.view].map((name) => {
        const label = document.createElement('span');
        label.textContent = name;
        return label;
      }),
    );
  }

  private drawPicture(): void {
    this.pictureChanged = false;
    const { scale, origin } = this.viewport;
    const { width, height } = this.elements.overlay;
    const colors = themeColors();
    this.renderer?.draw({ ...this.scene, width, height, pixelRatio: devicePixelRatio, scale, origin, colors });
  }

  private drawLines(): void {
    const panes = paneCount(this.scene.view);
    drawOverlay(this.overlayContext, this.content, this.viewport, this.paneWidth, panes, devicePixelRatio);
  }
}
