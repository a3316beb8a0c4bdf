// The package's door: see index.d.ts for what each call takes and gives.
export { Tessera } from './src/tessera.js';
export { TesseraError } from './src/errors.js';
export { endpointModeNames, isometryNames } from './src/names.js';
