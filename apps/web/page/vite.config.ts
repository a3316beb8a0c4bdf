import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses: the built page works in any folder of a server.
  base: './',
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Modules of WebAssembly stay files of their own, so that browsers compile them while they load.
    assetsInlineLimit: 0,
    // The small piece of code that Vite adds for preloading would need a looser security policy.
    modulePreload: { polyfill: false },
    rollupOptions: { input: { main: 'index.html', tiles: 'tiles.html' } },
  },
  // The package is linked from the repository and finds its own files by their addresses.
  optimizeDeps: { exclude: ['tessera-wasm'] },
  server: { fs: { allow: ['..'] } },
});
