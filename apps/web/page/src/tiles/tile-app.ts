// The page of tiles: what is in view is asked for, what arrives is put into textures and drawn.
import { libraryFiles } from '../engine/library-files';
import { sentenceOf, WorkerClient } from '../rpc';
import { Alert } from '../ui/alert';
import { byId } from '../ui/dom';
import { themeColors } from '../viewer/theme-colors';
import { WorkerScript } from '../worker-script';
import { tileSide, type Tile, type TileFormat, type TileMethods } from './protocol';
import { Scrolling } from './scrolling';
import { TilePanel } from './tile-panel';
import { TileRenderer } from './tile-renderer';
import { TileStatistics } from './tile-statistics';
import { TileStore, type StoredTile } from './tile-store';
import workerAddress from './worker?worker&url';

/** While one tile is under way back, the worker has the next one. */
const tilesAskedAtOnce = 2;
/** Rows beyond the view that are made early. */
const rowsAhead = 1;
const panelPeriod = 250;
const mostCrashes = 3;
/** More failed tiles in a row than this are not tried again. */
const mostFailures = 3;
/** How long a driver gets to come back, in milliseconds, before the page says that it has not. */
const patience = 4000;
const lostSentence = 'The graphics driver has dropped the tiles; they are made again as soon as the driver is back.';
const goneSentence = 'The graphics driver has not come back. Tiles are made again when it does, or when this page is loaded again.';
const crashSentence = 'The worker that compresses tiles has crashed and was started again.';

export class TileApp {
  private readonly canvas = byId('tiles-canvas', HTMLCanvasElement);
  private readonly drawing = byId('tile-drawing', HTMLParagraphElement);
  private readonly formatSelect = byId('tile-format', HTMLSelectElement);
  private readonly alert = new Alert();
  private readonly scrolling = new Scrolling();
  private readonly panel = new TilePanel();
  private statistics = new TileStatistics();
  private renderer: TileRenderer | null = null;
  private store: TileStore | null = null;
  private readonly script = new WorkerScript(workerAddress);
  private client = this.startWorker();
  private asked = 0;
  private crashes = 0;
  private failures = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private opened = 0;
  private isOpen = false;
  private decodes = false;
  private bytesPerTile = 0;
  private spare: Array<Uint8Array<ArrayBuffer>> = [];
  private panelTime = 0;

  constructor() {
    const speed = byId('tile-speed', HTMLInputElement);
    const button = byId('tile-scroll', HTMLButtonElement);
    const applySpeed = () => {
      const moving = button.getAttribute('aria-pressed') === 'true';
      this.scrolling.speed = moving ? Number(speed.value) : 0;
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
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.isOpen = false;
      this.store?.clear(true);
      this.alert.show(lostSentence);
      this.waiting = setTimeout(() => this.alert.show(goneSentence), patience);
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      clearTimeout(this.waiting);
      this.renderer?.makeProgram();
      this.alert.clear();
      void this.open();
    });
  }

  async start(): Promise<void> {
    const gl = this.canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
    if (!gl) return this.alert.show('This browser has no WebGL 2, which this page draws its tiles with.');
    this.renderer = new TileRenderer(gl);
    this.store = new TileStore(this.renderer);
    new ResizeObserver(() => this.resize()).observe(this.scrolling.view);
    this.resize();
    requestAnimationFrame((now) => this.frame(now));
    await this.open();
  }

  /** Opens an encoder of the chosen format; all tiles are made again. */
  private async open(): Promise<void> {
    const opened = ++this.opened;
    const [format, block] = this.formatSelect.value.split(' ') as [TileFormat['format'], string];
    this.isOpen = false;
    try {
      const files = await libraryFiles();
      const encoder = await this.client.call('open', { format, block, files });
      if (opened !== this.opened || !this.renderer) return;
      this.store!.clear(false);
      const extension = this.renderer.setFormat({ format, block });
      this.decodes = extension === null;
      this.bytesPerTile = encoder.byteLength;
      this.spare = [];
      this.statistics = new TileStatistics();
      this.isOpen = true;
      if (opened === 1) performance.mark('interactive');
      this.drawing.textContent = extension
        ? `Drawn by the graphics driver from the compressed blocks (${extension}).`
        : 'The graphics driver here cannot draw this format: tiles are decoded in WebAssembly, and no memory is saved.';
    } catch (error) {
      this.alert.show(sentenceOf(error));
    }
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.scrolling.view;
    this.canvas.width = Math.max(1, Math.round(clientWidth * devicePixelRatio));
    this.canvas.height = Math.max(1, Math.round(clientHeight * devicePixelRatio));
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const { scrolling, store, renderer } = this;
    if (!store || !renderer) return;
    const moved = scrolling.advance(now);
    this.statistics.addFrame(now, moved);
    const { clientWidth, clientHeight } = scrolling.view;
    const { top } = scrolling;
    if (this.isOpen) {
      const firstRow = Math.floor(top / tileSide) - rowsAhead;
      const lastRow = Math.floor((top + clientHeight) / tileSide) + rowsAhead;
      store.keep({ columns: Math.ceil(clientWidth / tileSide), firstRow, lastRow });
      this.askForTiles();
    }
    const placed = [...store.all]
      .filter((tile) => tile.state === 'ready')
      .map(({ texture, column, row }) => ({ texture, x: column * tileSide, y: row * tileSide - top }));
    renderer.draw(placed, themeColors().background, devicePixelRatio);
    if (now - this.panelTime > panelPeriod) {
      this.panelTime = now;
      this.panel.show(this.statistics, renderer.textureCount, this.bytesPerTile, this.decodes);
    }
  }

  private askForTiles(): void {
    const middle = (this.scrolling.top + this.scrolling.view.clientHeight / 2) / tileSide - 0.5;
    while (this.isOpen && this.asked < tilesAskedAtOnce) {
      const tile = this.store!.nextWaiting(middle);
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
    if (this.store!.holds(tile)) {
      this.renderer!.fill(tile.texture, made.data);
      tile.state = 'ready';
    }
    if (!this.decodes) this.spare.push(made.data);
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
