// The page of tiles: what is in view is asked for, what arrives is given to the renderer and drawn.
import { libraryFiles } from '../engine/library-files';
import { sentenceOf, WorkerClient } from '../rpc';
import { openSurface } from '../surface/surface';
import { Alert } from '../ui/alert';
import { byId } from '../ui/dom';
import { themeColors } from '../viewer/theme-colors';
import { WorkerScript } from '../worker-script';
import { CanvasTileRenderer } from './canvas-tile-renderer';
import { tileSide, type Tile, type TileFormat, type TileMethods } from './protocol';
import { RemoteTileRenderer } from './remote-tile-renderer';
import { Scrolling } from './scrolling';
import { TilePanel } from './tile-panel';
import type { TileRenderer } from './tile-renderer';
import { TileStatistics } from './tile-statistics';
import { TileStore, type StoredTile } from './tile-store';
import workerAddress from './worker?worker&url';

/** While one tile is under way back, the worker has the next one. */
const tilesAskedAtOnce = 2;
/** Rows beyond the view that are made early. */
const rowsAhead = 1;
/** Milliseconds between two changes of the panel's numbers. */
const panelPeriod = 250;
const mostCrashes = 3;
/** More failed tiles in a row than this are not tried again. */
const mostFailures = 3;
const lostSentence = 'The graphics driver has dropped the tiles; they are made again as soon as the driver is back.';
const crashSentence = 'The worker that compresses tiles has crashed and was started again.';

export class TileApp {
  private readonly drawing = byId('tile-drawing', HTMLParagraphElement);
  private readonly formatSelect = byId('tile-format', HTMLSelectElement);
  private readonly scrolling = new Scrolling();
  private readonly alert = new Alert(this.scrolling.view);
  private readonly panel = new TilePanel();
  private statistics = new TileStatistics();
  private renderer: TileRenderer | null = null;
  private surface: Promise<void> | null = null;
  private readonly store = new TileStore((slot) => this.renderer?.forget(slot));
  private readonly script = new WorkerScript(workerAddress);
  private client = this.startWorker();
  private asked = 0;
  private crashes = 0;
  private failures = 0;
  private opened = 0;
  private isOpen = false;
  private decodes = false;
  private bytesPerTile = 0;
  private spare: Array<Uint8Array<ArrayBuffer>> = [];
  private isFrameAsked = false;
  /** Something else is to be seen than what was drawn last. */
  private isChanged = false;
  private isPanelAsked = false;

  constructor() {
    const speed = byId('tile-speed', HTMLInputElement);
    const button = byId('tile-scroll', HTMLButtonElement);
    const applySpeed = () => {
      const moving = button.getAttribute('aria-pressed') === 'true';
      this.scrolling.setSpeed(moving ? Number(speed.value) : 0);
      this.askForFrame();
      speed.setAttribute('aria-valuetext', `${speed.value} pixels a second`);
      button.textContent = moving ? 'Stop' : 'Scroll by itself';
    };
    speed.addEventListener('input', applySpeed);
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      applySpeed();
    });
    this.formatSelect.addEventListener('change', () => {
      this.failures = 0;
      this.alert.clear();
      void this.open();
    });
    this.scrolling.view.addEventListener('scroll', () => this.askForFrame(), { passive: true });
    new ResizeObserver(() => this.redraw()).observe(this.scrolling.view);
  }

  /** The library is loaded while the surface is opened. */
  start(): Promise<void> {
    this.surface = this.openSurface();
    return this.open();
  }

  private async openSurface(): Promise<void> {
    const renderers = {
      inWorker: (onCrash: () => void) => new RemoteTileRenderer(onCrash),
      onPlainCanvas: (context: CanvasRenderingContext2D) => new CanvasTileRenderer(context),
    };
    const { canvas, renderer } = await openSurface<TileRenderer>(byId('tiles-canvas', HTMLCanvasElement), renderers, {
      onLost: () => this.surfaceLost(),
      onBack: (canvas, renderer) => this.surfaceBack(canvas, renderer),
    });
    this.setSurface(canvas, renderer);
  }

  /** The map is drawn in the next frame, moved or not. */
  redraw(): void {
    this.isChanged = true;
    this.askForFrame();
  }

  private setSurface(canvas: HTMLCanvasElement, renderer: TileRenderer): void {
    const shown = byId('tiles-canvas', HTMLCanvasElement);
    if (shown !== canvas) shown.replaceWith(canvas);
    this.renderer = renderer;
  }

  private surfaceLost(): void {
    // What is under way was meant for the surface that is gone.
    ++this.opened;
    this.isOpen = false;
    this.store.clear();
    this.alert.show(lostSentence);
  }

  private surfaceBack(canvas: HTMLCanvasElement, renderer: TileRenderer): void {
    this.setSurface(canvas, renderer);
    this.alert.clear();
    void this.open();
  }

  /** Opens an encoder of the chosen format; all tiles are made again. */
  private async open(): Promise<void> {
    const opened = ++this.opened;
    const [format, block] = this.formatSelect.value.split(' ') as [TileFormat['format'], string];
    this.isOpen = false;
    try {
      const [encoder] = await Promise.all([this.openEncoder({ format, block }), this.surface]);
      if (opened !== this.opened || !this.renderer) return;
      this.store.clear();
      const extension = await this.renderer.setFormat({ format, block });
      if (opened !== this.opened) return;
      this.decodes = extension === null;
      this.bytesPerTile = encoder.byteLength;
      this.spare = [];
      this.statistics = new TileStatistics();
      this.isOpen = true;
      this.redraw();
      if (performance.getEntriesByName('interactive').length === 0) performance.mark('interactive');
      this.drawing.textContent = extension
        ? `Drawn by the graphics driver from the compressed blocks (${extension}).`
        : 'The graphics driver here cannot draw this format: tiles are decoded in WebAssembly, and no memory is saved.';
    } catch (error) {
      if (opened === this.opened) this.alert.show(sentenceOf(error));
    }
  }

  private async openEncoder(format: TileFormat) {
    const files = await libraryFiles();
    return this.client.call('open', { ...format, files });
  }

  private askForFrame(): void {
    if (this.isFrameAsked) return;
    this.isFrameAsked = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.isFrameAsked = false;
    const { scrolling } = this;
    const hasMoved = scrolling.advance(now);
    this.statistics.addFrame(now, hasMoved);
    if (hasMoved || this.isChanged) this.showMap();
    // While the map moves, the frames follow each other, so that those that are missed can be counted.
    if (hasMoved || scrolling.movesByItself) this.askForFrame();
  }

  private showMap(): void {
    this.isChanged = false;
    const { clientWidth, clientHeight } = this.scrolling.view;
    const { top } = this.scrolling;
    if (this.isOpen) {
      const firstRow = Math.floor(top / tileSide) - rowsAhead;
      const lastRow = Math.floor((top + clientHeight) / tileSide) + rowsAhead;
      this.store.keep({ columns: Math.ceil(clientWidth / tileSide), firstRow, lastRow });
      this.askForTiles();
    }
    const isOneUnseen = this.renderer?.draw({
      width: Math.max(1, Math.round(clientWidth * devicePixelRatio)),
      height: Math.max(1, Math.round(clientHeight * devicePixelRatio)),
      pixelRatio: devicePixelRatio,
      top,
      background: themeColors().background,
    });
    if (isOneUnseen) this.statistics.addUnseenFrame();
    this.askForPanel();
  }

  /** The panel's numbers change so seldom that they can be read. */
  private askForPanel(): void {
    if (this.isPanelAsked) return;
    this.isPanelAsked = true;
    setTimeout(() => {
      this.isPanelAsked = false;
      this.panel.show(this.statistics, this.store.slotCount, this.bytesPerTile, this.decodes);
    }, panelPeriod);
  }

  private askForTiles(): void {
    const middle = (this.scrolling.top + this.scrolling.view.clientHeight / 2) / tileSide - 0.5;
    while (this.isOpen && this.asked < tilesAskedAtOnce) {
      const tile = this.store.nextWaiting(middle);
      if (!tile) return;
      void this.askFor(tile);
    }
  }

  private async askFor(tile: StoredTile): Promise<void> {
    const { opened, decodes } = this;
    tile.state = 'asked';
    ++this.asked;
    try {
      const out = this.spare.pop() ?? null;
      const request = { column: tile.column, row: tile.row, decode: decodes, out };
      const made = await this.client.call('tile', request, {}, out ? [out.buffer] : []);
      if (opened === this.opened) this.receive(tile, made);
    } catch (error) {
      tile.state = 'waiting';
      if (opened === this.opened) this.tileFailed(sentenceOf(error));
    } finally {
      --this.asked;
    }
    this.askForTiles();
  }

  /** A new encoder may do better; one that fails again and again is given up until the format changes. */
  private tileFailed(sentence: string): void {
    this.isOpen = false;
    this.alert.show(sentence);
    if (++this.failures <= mostFailures) void this.open();
  }

  private receive(tile: StoredTile, made: Tile): void {
    this.failures = 0;
    this.statistics.addTile(made);
    this.askForPanel();
    tile.state = 'ready';
    if (this.store.holds(tile)) void this.show(tile, made.data);
    else this.useAgain(made.data);
  }

  private async show({ slot, column, row }: StoredTile, data: Tile['data']): Promise<void> {
    const { opened } = this;
    this.redraw();
    try {
      const back = await this.renderer!.fill({ slot, column, row, data });
      if (opened === this.opened) this.useAgain(back);
    } catch (error) {
      if (opened === this.opened) this.tileFailed(sentenceOf(error));
    }
  }

  /** Decoded tiles come in arrays of their own. */
  private useAgain(data: Tile['data']): void {
    if (!this.decodes) this.spare.push(data);
  }

  private startWorker(): WorkerClient<TileMethods> {
    const worker = this.script.start('tessera-tiles');
    return new WorkerClient<TileMethods>(worker, crashSentence, (sentence) => {
      this.isOpen = false;
      this.alert.show(sentence);
      if (++this.crashes > mostCrashes) return;
      this.client = this.startWorker();
      void this.open();
    });
  }
}
