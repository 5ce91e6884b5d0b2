import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist",
    /** The engine serves `default-src 'self'`: a font or picture inlined as data: would be refused. */
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    /** How long each plugin took is not for whoever types npm start. */
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
