/** Owns: which page answers which address. Not: what a page shows, or whether it exists (Convex knows). */
import { Route, Routes, useLocation } from "react-router-dom";
import { HomePage } from "./HomePage.tsx";
import { Layout } from "./Layout.tsx";
import { LazyPage, lazyPage } from "./LazyPage.tsx";
import { MissingPage } from "./MissingPage.tsx";
import { PostsPage } from "./PostsPage.tsx";
import { useSiteTracking } from "./useSiteTracking.ts";

const DocumentPage = lazyPage(() => import("./DocumentPage.tsx"));
const StatsPage = lazyPage(() => import("../stats/StatsPage.tsx"));

const SharedStatsPage = lazyPage(() => import("../stats/SharedStatsPage.tsx"));

const postPage = (
  <LazyPage key="post">
    <DocumentPage kind="post" />
  </LazyPage>
);
const pagePage = (
  <LazyPage key="page">
    <DocumentPage kind="page" />
  </LazyPage>
);
const statsPage = (
  <LazyPage key="stats">
    <StatsPage />
  </LazyPage>
);

function Site() {
  useSiteTracking();
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomePage />} />
        <Route path="posts" element={<PostsPage />} />
        <Route path="posts/:slug" element={postPage} />
        <Route path="stats" element={statsPage} />
        <Route path=":slug" element={pagePage} />
        <Route path="*" element={<MissingPage />} />
      </Route>
    </Routes>
  );
}

/** Shared statistics stand alone, and in frames of other pages: who reads them there is no visitor of this site. */
export function App() {
  const { pathname } = useLocation();
  if (!pathname.startsWith("/share/")) return <Site />;
  return (
    <Routes>
      <Route
        path="share/:site"
        element={
          <LazyPage key="share">
            <SharedStatsPage />
          </LazyPage>
        }
      />
      <Route path="*" element={<MissingPage />} />
    </Routes>
  );
}
