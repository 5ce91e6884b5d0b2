/** Owns: every English text of the site's own pages. Not: posts and pages (content/), or /stats (src/stats/texts.ts). */

const countFormat = new Intl.NumberFormat("en-US");

export const texts = {
  name: "Footfall",
  skip: "Skip to the content",
  nav: "Main",
  links: { posts: "Posts", about: "About", stats: "Live stats" },
  /** What /stats calls the pages that are not content; those bring their own titles. */
  pageTitles: { home: "Front page", posts: "Posts", stats: "Live stats", help: "Set up a site" },
  theme: { toDark: "Switch to the dark theme", toLight: "Switch to the light theme" },
  footer: {
    noCookies: "No cookies, nothing sent elsewhere",
    privacy: "Privacy",
    install: "Install",
  },
  home: {
    title: "Footfall: live, cookie-free web statistics in your own Convex app",
    lead: "Web statistics that are live, exact and yours.",
    pitch:
      "Footfall counts the visits to a site inside the site’s own Convex deployment. No cookies, no " +
      "third party, no sampling: every view is a row that you own, and every number can be counted again from the rows.",
    seeStats: "See this site’s visitors, live",
    howItCounts: "How it counts",
    writing: "Writing",
    allPosts: "All posts",
  },
  posts: {
    title: "Posts",
    none: "No posts yet. Add Markdown files to content/posts and start again.",
  },
  contents: "Contents",
  minutes: (minutes: number) => `${minutes} min read`,
  views: (views: number) => `${countFormat.format(views)} ${views === 1 ? "view" : "views"}`,
  viewsUnknown: "Views unknown",
  loading: "Loading",
  waiting:
    "The server does not answer yet. This page will appear by itself as soon as it does; nothing needs to be reloaded.",
  failed: {
    title: "This could not be read",
    retry: "Try again",
  },
  copy: { idle: "Copy", done: "Copied" },
  optOut: {
    heading: "This browser",
    state: {
      counted: "Your views of this site are counted.",
      notCounted: "Your views of this site are not counted.",
      notKept:
        "Your views are not counted until you close this page. The browser refused to remember it for longer.",
    },
    stop: "Do not count me",
    resume: "Count me again",
  },
  missing: {
    title: "There is no page here",
    explain: (path: string) =>
      `Nothing is published at ${path}. It may have moved, or the link has a typo.`,
    next: "All posts are under",
    or: "; the front page is",
    home: "here",
    posts: "Posts",
  },
} as const;
