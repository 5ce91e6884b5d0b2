import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { pageBudget } from "./scripts/page-budget.ts";

export default defineConfig(({ command }) => {
  // A build is for readers, whoever asks for it. Under a test runner NODE_ENV is "test", and React would be built in
  // its slow form for developers.
  if (command === "build") process.env.NODE_ENV = "production";
  return {
    plugins: [react(), pageBudget()],
    build: {
      outDir: "dist",
      /** The engine serves `default-src 'self'`: a font or picture inlined as data: would be refused. */
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: "es2023",
      /** How long each plugin took is not for whoever types npm start. */
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  };
});
