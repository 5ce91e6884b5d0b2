/** Owns: which page answers which address. Not: what a page shows, or whether it exists (Convex knows). */
import { lazy, Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { HomePage } from "./HomePage.tsx";
import { Layout } from "./Layout.tsx";
import { MissingPage } from "./MissingPage.tsx";
import { PostsPage } from "./PostsPage.tsx";
import { useSiteTracking } from "./useSiteTracking.ts";

const DocumentPage = lazy(() => import("./DocumentPage.tsx"));
const StatsPage = lazy(() => import("../stats/StatsPage.tsx"));

export function App() {
  useSiteTracking();
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomePage />} />
        <Route path="posts" element={<PostsPage />} />
        <Route
          path="posts/:slug"
          element={
            <Suspense>
              <DocumentPage kind="post" />
            </Suspense>
          }
        />
        <Route
          path="stats"
          element={
            <Suspense>
              <StatsPage />
            </Suspense>
          }
        />
        <Route
          path=":slug"
          element={
            <Suspense>
              <DocumentPage kind="page" />
            </Suspense>
          }
        />
        <Route path="*" element={<MissingPage />} />
      </Route>
    </Routes>
  );
}
