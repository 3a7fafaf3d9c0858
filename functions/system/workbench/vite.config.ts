import { defineConfig } from "vite";

// Asset addresses are relative, so that the page works below the path of a stage.
// pack.mjs takes what is written here.
export default defineConfig({
  base: "./",
  build: {
    outDir: "node_modules/.built",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
});
