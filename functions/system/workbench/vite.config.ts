import { defineConfig } from "vite";

// Asset addresses are relative, so that the page works below the path of a stage.
// pack.mjs takes what is written here.
export default defineConfig({
  base: "./",
  plugins: [{
    name: "no outside logo",
    // Redoc's bundle shows a picture of its maker's site; the policy of the page would refuse it.
    generateBundle(_, bundle) {
      for (const f of Object.values(bundle)) {
        if (f.type === "asset" && f.fileName.includes("redoc.standalone")) {
          f.source = String(f.source instanceof Uint8Array ? new TextDecoder().decode(f.source) : f.source)
            .replace(/https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini\.svg/g, "data:,").replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, "");
        }
      }
    },
  }],
  build: {
    rollupOptions: { input: ["index.html", "docs.html"] },
    outDir: "node_modules/.built",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
});
