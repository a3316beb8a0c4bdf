// Starts the main page.
import { App } from './app';
import type { MapKind } from './engine/protocol';
import { byId } from './ui/dom';
import { sampleSource } from './ui/picture-panel';
import { startTheme } from './ui/theme';

const app = new App();
startTheme(byId('theme', HTMLButtonElement), () => app.viewer.redraw());

// For tests and for the curious at the console: the result as it is drawn and as it is decoded.
Object.assign(globalThis, {
  tessera: {
    drawnPixels: () => app.display.surface.readResult(),
    decodedPixels: () => app.engine.call('resultPixels', null),
    sourcePixels: () => app.engine.call('sourcePixels', null),
    map: (kind: MapKind) => app.engine.call('map', kind),
  },
});

void app.load(sampleSource('photo'));
