// The page's flow: a picture is loaded, compressed, shown; settings change; things fail.
import type { Container } from 'tessera-wasm';
import { BlockCursor } from './block-cursor';
import { Engine } from './engine/engine';
import type { PictureInfo, PictureSource, ResultInfo, Settings } from './engine/protocol';
import { LatestOnly } from './latest-only';
import { ResultDisplay } from './result-display';
import { isAbort, sentenceOf } from './rpc';
import { openSurface, type Surface } from './surface/surface';
import { ChartPanel } from './ui/chart-panel';
import { byId } from './ui/dom';
import { DownloadsPanel } from './ui/downloads-panel';
import { MapPanel } from './ui/map-panel';
import { Messages } from './ui/messages';
import { MetricsPanel } from './ui/metrics-panel';
import { secondsText } from './ui/numbers';
import { PassesPanel } from './ui/passes-panel';
import { PicturePanel } from './ui/picture-panel';
import { SettingsPanel } from './ui/settings-panel';
import { startToolbar } from './ui/toolbar';
import { CanvasRenderer } from './viewer/canvas-renderer';
import type { PictureRenderer } from './viewer/picture-renderer';
import { RemoteRenderer } from './viewer/remote-renderer';
import { Viewer } from './viewer/viewer';

const lostSentence =
  'The graphics driver has dropped the picture; it is drawn again as soon as the driver is back.';
/** More crashes in a row than this are not answered by loading the picture again. */
const mostCrashes = 3;

export class App {
  readonly engine = new Engine((sentence) => void this.recover(sentence));
  readonly display: ResultDisplay;
  readonly viewer: Viewer;
  private readonly messages = new Messages(() => this.running?.abort());
  private readonly pictures = new PicturePanel({
    onPicture: (source) => void this.load(source),
    onProblem: (sentence) => this.messages.problem(sentence),
  });
  private readonly settings = new SettingsPanel(() => void this.encode(), () => void this.encode());
  private readonly metrics = new MetricsPanel();
  private readonly maps = new MapPanel(() => void this.showMap());
  private readonly downloads = new DownloadsPanel((container) => this.fileOf(container));
  private readonly passes = new PassesPanel((passes) => this.wantedPasses.ask(passes));
  /** Passes of a large picture may take longer than they are played. */
  private readonly wantedPasses = new LatestOnly<number>((passes) => this.showPass(passes));
  private readonly chart = new ChartPanel({
    point: (settings, signal) => this.engine.call('chartPoint', settings, { signal }),
    choose: (change) => this.settings.choose(change),
  });
  private readonly cursor: BlockCursor;
  private source: PictureSource | null = null;
  private picture: PictureInfo | null = null;
  private pictureNumber = 0;
  private result: ResultInfo | null = null;
  /** What the engine holds: where a result was dropped as it arrived, another one than `result`. */
  private engineResult: ResultInfo | null = null;
  private running: AbortController | null = null;
  /** The one of `running` that loads a picture. */
  private loading: AbortController | null = null;
  /** The one of `running` that writes a file. */
  private writing: AbortController | null = null;
  private opening: Promise<void> | null = null;
  private isOpen = false;
  private crashes = 0;

  constructor() {
    this.display = new ResultDisplay(this.engine, (error) => this.fail(error));
    this.cursor = new BlockCursor(this.engine, () => this.viewer, (error) => this.fail(error));
    const elements = {
      root: byId('viewer', HTMLDivElement),
      picture: byId('picture', HTMLCanvasElement),
      overlay: byId('overlay', HTMLCanvasElement),
      divider: byId('divider', HTMLDivElement),
      labels: byId('pane-labels', HTMLDivElement),
    };
    this.viewer = new Viewer(elements, {
      onPoint: (texel) => this.cursor.point(texel),
      onMoveCursor: (dx, dy) => this.cursor.move(dx, dy),
      onZoom: (scale) => (byId('zoom-value', HTMLOutputElement).textContent = `${Math.round(scale * 100)} %`),
    });
    byId('worst', HTMLButtonElement).addEventListener('click', () => {
      if (this.result) this.cursor.goTo(this.result.worstBlock);
    });
    startToolbar(this.viewer);
    this.metrics.clear();
  }

  /** A picture that comes while the library is still loaded waits for it; the last one counts. */
  async load(source: PictureSource): Promise<void> {
    const job = this.begin(this.isOpen ? 'The picture is being read…' : 'The library is being loaded…');
    this.loading = job;
    let isLoaded = false;
    try {
      await this.open();
      if (this.running !== job) return;
      this.messages.say('The picture is being read…');
      const picture = await this.engine.call('load', source, { signal: job.signal });
      // Also where another picture was asked for meanwhile: the engine holds this one, and the other may fail.
      isLoaded = true;
      this.source = source;
      this.picture = picture;
      ++this.pictureNumber;
      this.forgetResult();
      await this.display.showOriginal();
      if (this.picture !== picture) return;
      this.pictures.show(source, picture);
      this.viewer.setPictureSize(picture.width, picture.height);
      if (this.running !== job) return;
      this.loading = null;
      await this.encode();
    } catch (error) {
      if (this.running !== job) return;
      this.end(this.isOpen ? this.outcomeOf(isLoaded) : 'The library could not be loaded.');
      this.keepResultsEqual();
      this.chart.resume();
      this.fail(error);
    } finally {
      if (this.loading === job) this.loading = null;
    }
  }

  private outcomeOf(isLoaded: boolean): string {
    if (isLoaded) return 'The picture cannot be shown.';
    return this.picture ? 'The picture before is still here.' : 'There is no picture yet.';
  }

  /** Without this, files and maps would be those of a result that is not shown. */
  private keepResultsEqual(): void {
    if (this.engineResult !== this.result) this.forgetResult();
  }

  /** Opens what pictures need, once; what has failed is tried again by the next picture. */
  private open(): Promise<void> {
    this.opening ??= this.openAll().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private async openAll(): Promise<void> {
    const engine = this.engine.open();
    engine.catch(() => {}); // It is awaited after the surface.
    if (!this.display.renderer) {
      const { canvas, renderer } = await this.openSurface();
      this.display.renderer = renderer;
      this.viewer.setSurface(canvas, renderer);
    }
    const { version, workers } = await engine;
    byId('version', HTMLSpanElement).textContent = version;
    byId('workers', HTMLSpanElement).textContent = workers === 1 ? '1 worker' : `${workers} workers`;
    this.isOpen = true;
    // From here on a picture is compressed as soon as it comes; those that came before have waited.
    performance.mark('interactive');
  }

  private openSurface(): Promise<Surface<PictureRenderer>> {
    const renderers = {
      inWorker: (onCrash: () => void) => new RemoteRenderer(onCrash),
      onPlainCanvas: (context: CanvasRenderingContext2D) => new CanvasRenderer(context, () => this.viewer.redraw()),
    };
    return openSurface<PictureRenderer>(byId('picture', HTMLCanvasElement), renderers, {
      onLost: () => this.messages.problem(lostSentence),
      onBack: (canvas, renderer) => void this.drawAgain(canvas, renderer),
    });
  }

  private async encode(): Promise<void> {
    // A picture that is being read is compressed with the settings as they are then.
    if (!this.picture || this.loading) return;
    const settings = this.settings.settings;
    const job = this.begin('Compressing…');
    this.messages.working(0);
    // The speed that is shown is that of nothing else running.
    this.chart.pause();
    let result: ResultInfo;
    try {
      result = await this.engine.call('encode', settings, {
        signal: job.signal,
        onProgress: (fraction) => this.running === job && this.messages.working(fraction),
      });
      this.engineResult = result;
      if (this.running !== job) return;
      await this.display.showResult(result);
      if (this.running !== job) return;
    } catch (error) {
      if (this.running !== job) return;
      this.end(isAbort(error) ? 'Compression was cancelled.' : 'Compression has failed.');
      this.keepResultsEqual();
      this.chart.resume();
      return this.fail(error);
    }
    this.end(`Compressed in ${secondsText(result.seconds)}.`);
    await this.showResult(result, settings);
  }

  private async showResult(result: ResultInfo, settings: Settings): Promise<void> {
    this.result = result;
    this.crashes = 0;
    this.metrics.show(result, this.picture!.hasAlpha);
    this.downloads.show(result.format, this.picture!.name);
    this.passes.offer(result.passes, result.quality);
    this.maps.offer(result.format);
    this.cursor.setResult(result);
    const { blockWidth, blockHeight, format } = result;
    byId('grid-label', HTMLSpanElement).textContent = format === 'fractal' ? 'Quadtree' : 'Blocks';
    this.viewer.setOverlay({ blockWidth, blockHeight, leaves: null });
    if (result.alphaDropped) {
      this.messages.problem('The picture has transparent pixels, which this format cannot keep.');
    }
    await this.showMap();
    if (format === 'fractal') await this.showLeaves(result);
    const isUsed = this.running !== null && this.running !== this.writing;
    if (this.result === result && !isUsed) this.chart.offer(settings, this.pictureNumber, result.seconds);
  }

  private async showLeaves(result: ResultInfo): Promise<void> {
    try {
      const leaves = await this.engine.call('leaves', null);
      if (this.result === result) this.viewer.setOverlay({ leaves });
    } catch (error) {
      if (this.result === result) this.fail(error);
    }
  }

  private async showMap(): Promise<void> {
    const { result } = this;
    const { kind } = this.maps;
    if (!result) return;
    const isWanted = () => this.result === result && this.maps.kind === kind;
    try {
      const map = await this.display.showMap(kind, isWanted);
      if (!isWanted()) return;
      this.maps.showLegend(map);
      this.viewer.redraw();
    } catch (error) {
      if (isWanted()) this.fail(error);
    }
  }

  private async showPass(passes: number): Promise<void> {
    const { result } = this;
    if (!result) return;
    const isWanted = () => this.result === result && this.passes.passes === passes;
    try {
      const quality = await this.display.showPass(passes, isWanted);
      if (!quality || !isWanted()) return;
      this.passes.tell(quality);
      this.metrics.show(result, this.picture!.hasAlpha, quality);
      this.viewer.redraw();
    } catch (error) {
      if (isWanted()) this.fail(error);
    }
  }

  private async fileOf(container: Container): Promise<Uint8Array<ArrayBuffer> | null> {
    // Beside an encode that runs, its sentence stays the one that is shown.
    const job = this.running ? null : this.begin(`The .${container} file is being written…`);
    if (job) this.writing = job;
    try {
      const bytes = await this.engine.call('file', container, job ? { signal: job.signal } : {});
      if (job && this.running === job) this.end(`The .${container} file is ready.`);
      return bytes;
    } catch (error) {
      if (job && this.running === job) this.end('No file was written.');
      this.fail(error);
      return null;
    } finally {
      if (job && this.writing === job) this.writing = null;
    }
  }

  /** The drawing surface is new or empty: everything is brought to it again. */
  private async drawAgain(canvas: HTMLCanvasElement, renderer: PictureRenderer): Promise<void> {
    try {
      this.display.renderer = renderer;
      if (this.picture) {
        await this.display.showOriginal();
        if (this.result) await this.display.showResult(this.result);
        await this.showMap();
      }
      this.viewer.setSurface(canvas, renderer);
      this.messages.clearProblem();
      this.messages.say('The picture is drawn again.');
    } catch (error) {
      this.fail(error);
    }
  }

  /** The engine is a new one that knows nothing of the picture. */
  private async recover(sentence: string): Promise<void> {
    this.end('');
    this.forgetResult();
    this.messages.problem(sentence);
    if (!this.source || ++this.crashes > mostCrashes) return;
    try {
      await this.engine.call('load', this.source);
      this.messages.say('The picture is still here and can be compressed again.');
    } catch (error) {
      this.fail(error);
    }
  }

  private forgetResult(): void {
    this.result = this.engineResult = null;
    this.chart.forget();
    this.display.clearResult();
    this.cursor.setResult(null);
    this.metrics.clear();
    this.downloads.clear();
    this.maps.showLegend(null);
    this.viewer.setOverlay({ leaves: null, blockWidth: 0, blockHeight: 0 });
  }

  private begin(sentence: string): AbortController {
    this.running?.abort();
    this.running = new AbortController();
    this.messages.clearProblem();
    this.messages.working(null);
    this.messages.say(sentence);
    return this.running;
  }

  private end(sentence: string): void {
    this.running = null;
    this.messages.working(null);
    this.messages.say(sentence);
  }

  private fail(error: unknown): void {
    if (!isAbort(error)) this.messages.problem(sentenceOf(error));
  }
}
