/** Owns: what a page load starts. Not: anything that it shows. */
import { ConvexProvider } from "convex/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import "@fontsource-variable/inter/opsz.css";
import "./site/tokens.css";
import "./site/base.css";
import "./site/site.css";
import "./site/contents.css";
import { App } from "./site/App.tsx";
import { client } from "./site/backend.ts";

const root = document.getElementById("root");
if (root === null) {
  throw new Error('index.html has no element with the id "root" for the page to be drawn into.');
}

createRoot(root).render(
  <StrictMode>
    <ConvexProvider client={client}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </ConvexProvider>
  </StrictMode>,
);
