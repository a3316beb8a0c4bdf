// Refuses to pack the package without its modules, which `make web` builds.
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url));
const { exports } = JSON.parse(read('package.json'));

function isModule(path) {
  try {
    return WebAssembly.validate(read(path));
  } catch {
    return false; // there is no such file
  }
}

const missing = Object.values(exports).filter((path) => String(path).endsWith('.wasm') && !isModule(path));
if (missing.length > 0) {
  console.error(`The package cannot be packed without ${missing.join(' and ')}: run make web in the repository.`);
  process.exitCode = 1;
}
