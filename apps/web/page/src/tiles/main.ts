// Starts the page of tiles.
import { byId } from '../ui/dom';
import { startTheme } from '../ui/theme';
import { TileApp } from './tile-app';

const app = new TileApp();
startTheme(byId('theme', HTMLButtonElement), () => app.redraw());
void app.start();
