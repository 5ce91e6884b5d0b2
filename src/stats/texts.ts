/* Longer than 300 lines because all English texts of /stats are in one file, ready to translate. */
/** Owns: every English text of /stats. Not: the numbers in them (formats.ts). */
import { formatCount, formatDuration, formatTime } from "./formats.ts";
import type { Zoned } from "./formats.ts";

const plural = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const texts = {
  title: (site: string) => `${site}, live`,
  tabTitle: "Live stats",
  zone: (timeZone: string) => `All times in ${timeZone}`,
  loading: "Loading the numbers",

  online: {
    now: "Online now",
    at: (time: string) => `Online at ${time}`,
    lastKnown: "Last known, not live",
    waiting: ["Waiting for the first view.", "This page shows it by itself."],
    nobody: "Nobody is here at the moment.",
    notMeasured: "not measured",
    onPages: (pages: number) => `on ${plural(pages, "page", "pages")}`,
    recentViews: (views: number) => `${plural(views, "view", "views")} in 30 min`,
  },
  minutes: {
    scale: (views: number) => `${plural(views, "view", "views")} a minute`,
    noScale: "Views a minute",
    start: "30 min ago",
    end: "this minute",
    bar: (time: string, views: number) => `${time}: ${plural(views, "view", "views")}`,
    sentence: (views: number, most: number) =>
      `${plural(views, "view", "views")} in the last 30 minutes, at most ${formatCount(most)} in one minute.`,
  },
  onPage: {
    caption: "People online, by page",
    page: "On which page",
    people: "People",
    more: (pages: number) => plural(pages, "more page", "more pages"),
    fewer: "Fewer pages",
    nobody: "Each page appears here while somebody reads it",
    notMeasured: "Not measured: this site counts views only",
  },
  curve: {
    heading: "Online today",
    today: "Today",
    now: (online: number) => `${formatCount(online)} now`,
    walk: "The day, a quarter of an hour at a time: arrow keys; page keys for an hour",
    hours: "By hour",
    byHour: "The most online, by hour",
    slot: (
      time: string,
      { today, before }: { today: number | null; before: number | null },
      dayBefore: string,
    ) =>
      [
        ...(today === null ? [] : [`at most ${formatCount(today)}`]),
        ...(before === null ? [] : [`${formatCount(before)} on ${dayBefore}`]),
      ]
        .join(", ")
        .replace(/^/, `${time}: `),
    mostToday: (most: { count: number; time: string } | null) =>
      most === null
        ? "Nobody was online today so far."
        : `At most ${formatCount(most.count)} online at once, at ${most.time}.`,
    mostBefore: (day: string, most: { count: number; time: string } | null) =>
      most === null
        ? `${day}: nobody.`
        : `${day}: at most ${formatCount(most.count)}, at ${most.time}.`,
    notRecorded: (day: string) => `Nothing was recorded on ${day}.`,
  },
  password: {
    heading: "These statistics were shared with a password",
    label: "Password",
    open: "Open",
    checking: "Checking …",
  },
  movements: {
    heading: "Comings and goings",
    caption: "Who came, moved on and went last, the newest first",
    time: "Time",
    kind: "What",
    page: "Page",
    kinds: { came: "came to", moved: "went on to", went: "left" },
    from: "from",
    people: (count: number) => plural(count, "person", "people"),
    nobody: "Who comes and goes while this page is open appears here.",
    fewer: "Fewer",
    note: "The last ones, while somebody watches; nothing tells one person from another.",
  },
  metrics: {
    label: "Totals",
    atLeast: "at least",
    views: "Views",
    viewsNote: "all time",
    visitors: "Visitors",
    visitorsNote: {
      distinct: "browsers, all time",
      "sum of days": "sum of each day's",
      "partly measured": "not measured all the time",
      "not measured": "not measured",
    },
    today: "Views today",
    todayNote: (time: string) => `by ${time}`,
    todayStale: (time: string) => `as of ${time}`,
    posts: "Posts",
    pages: "Pages",
    published: "published",
    since: "Tracking since",
    sinceNote: (time: string) => `first view at ${time}`,
    notYet: "–",
    notYetNote: "after the first view",
  },
  pages: {
    heading: "Pages",
    caption: "Pages by views",
    page: "Page",
    title: "Title",
    type: "Type",
    now: "Now",
    views: "Views",
    share: "Share",
    shown: (shown: number, total: number) =>
      shown >= total
        ? plural(total, "page", "pages")
        : `${formatCount(shown)} of ${plural(total, "page", "pages")}`,
    coverage: (share: string) => `${share} of views`,
    more: "Show more",
    loadingMore: "Loading more",
    none: "Each page appears here with its first view",
  },
  backfill: {
    running: "Counting old views",
    progress: (counted: number, remaining: number) =>
      `${formatCount(counted)} counted, at least ${formatCount(remaining)} to go.`,
    rate: (perSecond: number) => `${formatCount(Math.round(perSecond))} a second.`,
    etaLeft: (etaMs: number) => `About ${formatDuration(etaMs)} left.`,
    meanwhile: "Until then the totals are at least these; new views count as always.",
    done: (counted: number) =>
      `${plural(counted, "old view is", "old views are")} counted. The totals are complete.`,
    failed: "Counting old views stopped",
    failedDetail: (counted: number) =>
      `${formatCount(counted)} are counted, none twice. Look at npx convex logs for the cause, then start it again; it goes on where it stopped:`,
    cancelled: "Counting old views was cancelled",
    cancelledDetail: (counted: number) =>
      `${formatCount(counted)} are counted. Start it again to go on:`,
    command: "npx convex run stats:backfillAggregates",
    bar: "Old views counted",
  },
  health: {
    label: "State of the count",
    behind: (lagMs: number) => `The count is ${formatDuration(lagMs)} behind.`,
    remaking: (done: number, left: number, etaMs: number | null) =>
      `Making days anew from the log: ${plural(done, "day", "days")} done, ${formatCount(left)} to go${etaMs === null ? "" : `, about ${formatDuration(etaMs)} left`}.`,
    proving: (done: number, left: number, etaMs: number | null) =>
      `Recounting from the log: ${plural(done, "day", "days")} done, ${formatCount(left)} to go${etaMs === null ? "" : `, about ${formatDuration(etaMs)} left`}.`,
    stopped: {
      remaking: "Making days anew stopped; it is tried again. The cause is in npx convex logs.",
      proving: "The recount stopped. The cause is in npx convex logs.",
    },
    setAside: (rows: number) =>
      `${plural(rows, "row", "rows")} could not be counted: npx convex run stats:listQuarantine shows why.`,
    proved: (when: string, views: number, day: string) =>
      `Proved on ${when}: ${plural(views, "view", "views")} of ${day} recounted, drift 0.`,
    drift: (when: string, figures: number) =>
      `On ${when}, ${plural(figures, "figure was", "figures were")} not what the log says. npx convex run stats:repair puts them right.`,
    repaired: (when: string) => `Put right by the log on ${when}.`,
  },
  connection: {
    lost: "Disconnected",
    lostDetail: (time: string) =>
      `Showing the numbers of ${time}. They catch up by themselves when the server answers again.`,
    unreachable: "No answer yet",
    unreachableDetail:
      "The server cannot be reached. This page goes on trying and fills itself as soon as it answers.",
  },
  segment: {
    title: (segment: string, site: string) => `${segment} · ${site}`,
    label: "What this link shows",
    visitors: "Of a part of the site alone. Visitors: who has a view that is in it.",
    alone:
      "This link shows a part of the site alone. Who is online, totals of all time, how pages were read, notes and what was left out of the count are told of the whole site, and are not in it.",
    notTold: "This is told of the whole site, and the link shows a part of it alone.",
  },
  failed: {
    title: "The numbers could not be read",
    period: "The period could not be read",
    panel: (heading: string) => `${heading} could not be read`,
    morePages: "More pages could not be read",
    retry: "Try again",
    unknownCode: "E_QUERY",
  },
  empty: {
    heading: "Nothing counted yet",
    onlyThisPage: "Only this page so far",
    explain:
      "Two lines put the count on every page of a React site. Or just open a page of this one: it counts already.",
    openSite: "Open the front page",
    inTab: "in another tab and watch it appear here.",
    code: [
      "// React: once, near the root",
      'import { usePageTracking } from "./tracking/index.ts";',
      "",
      "export function App() {",
      '  usePageTracking({ pageType: "page" });',
      "  …",
      "}",
    ].join("\n"),
    guide: "The whole way, step by step:",
    guideLink: "Install Footfall",
    help: "Something does not arrive?",
    helpLink: "Set it up with a live check of each step",
    checks: {
      label: "Set-up checks",
      server: ["The server answers", "The websocket is open"],
      content: "The content is there",
      contentDetail: (posts: number, pages: number) =>
        `${plural(posts, "post", "posts")} and ${plural(pages, "page", "pages")}`,
      view: ["The first view arrives", "Open any page of the site, in any tab"],
      done: "done",
      open: "waiting",
    },
  },
  shortcuts: {
    open: "Keyboard shortcuts",
    heading: "Keyboard shortcuts",
    close: "Close",
    others: [
      { key: "c", does: "Compare with the next" },
      { key: "x", does: "All views again" },
      { key: "?", does: "This list" },
    ],
  },
  period: {
    label: "Period",
    presets: {
      today: "Today",
      yesterday: "Yesterday",
      "7d": "7 d",
      "28d": "28 d",
      "30d": "30 d",
      "90d": "90 d",
      month: "This month",
      year: "This year",
      "12mo": "12 mo",
      all: "All time",
    },
    others: "Other",
    choose: "Choose the days",
    first: "From",
    last: "Through",
    show: "Show",
    compare: "Compare",
    comparisons: {
      previous: "time before",
      year: "year before",
      none: "nothing",
      days: "these days …",
    },
    chooseCompared: "Choose the days to compare with",
    figures: {
      views: "Views",
      visits: "Visits",
      visitors: "Visitors",
      viewsPerVisit: "Views per visit",
      bounceRatio: "Bounce",
      averageVisitMs: "Visit duration",
      averageEngagedMs: "Engaged",
    },
    explained: {
      views: "Counted once per visitor and page within 30 minutes, unless the site says otherwise.",
      visits: "Runs of views by one visitor with no gap over 30 minutes, counted where they began.",
      visitors:
        "Different browsers over the whole period: each counts once, however often it came.",
      viewsPerVisit:
        "Views divided by visits. Views of readers who ask not to be tracked count, and are in no visit.",
      bounceRatio: "Share of visits with one view.",
      averageVisitMs: "From a visit's first view to its last; a visit of one view has none.",
      averageEngagedMs:
        "How long a view was in front and in use, on average over the views that reported it.",
    },
    exports: {
      partly: "the filter is not counted for all days yet; wait until it is",
      open: "Export",
      report: "Report",
      csv: "CSV of this report",
      zip: "All reports, ZIP of CSVs",
      json: "All reports, JSON",
      working: (done: number, total: number) =>
        total > 1 ? `${formatCount(done)} of ${formatCount(total)} reports` : "Asking",
      failed: (reason: string) => `Not made: ${reason}`,
      names: {
        figures: "Figures",
        trend: "Trend",
        pages: "Pages",
        sources: "Sources",
        channels: "Channels",
        referrers: "Referrers",
        campaigns: "Campaigns",
        countries: "Countries",
        languages: "Languages",
        time_zones: "Time zones",
        browsers: "Browsers",
        systems: "Systems",
        devices: "Devices",
        screens: "Screen sizes",
        week_by_hour: "Week by hour",
        events: "Events",
        engaged_pages: "Engaged pages",
      },
    },
    visitorsByDay: "Visitors, by day",
    visitorsAre: {
      distinct: { note: "", explained: "", list: "" },
      "sum of days": {
        note: "",
        explained:
          "Sum of the visitors of each UTC day: the site knows nobody from one day to the next, so who comes on two days counts twice.",
        list: "Visitors are the sum of each day's.",
      },
      "partly measured": {
        note: "not measured all the time",
        explained:
          "For a part of this time the site told nobody apart: this is of the rest of it alone.",
        list: "Of the time in which visitors were measured.",
      },
      "not measured": {
        note: "not measured",
        explained: "In this time the site told nobody apart, and counted views only.",
        list: "By views: visits and visitors were not measured.",
      },
    },
    engagedOf: (views: number) => `of ${plural(views, "view", "views")}`,
    units: { hour: "Hour", day: "Day", week: "Week", month: "Month" },
    asBefore: "as before",
    noneBefore: "none before",
    worse: "worse",
    trend: {
      heading: (figure: string, unit: string) => `${figure} by ${unit}`,
      figure: "Figure",
      unit: "Unit",
      table: "Table",
      unfinished: "not finished",
      notOver: ", not over",
      now: (value: number, time: string) => `${formatCount(value)} by ${time}`,
      walk: "The trend, bar by bar: arrow keys",
      bar: (when: string, value: number, figure: string) =>
        `${when}: ${formatCount(value)} ${figure.toLowerCase()}`,
      barNotMeasured: (when: string, figure: string) =>
        `${when}: ${figure.toLowerCase()} not measured`,
      notMeasured: (figure: string) => `${figure} were not measured: the site counted views only.`,
      barBefore: (value: number) => `, ${formatCount(value)} in the time before`,
      sentence: (value: number, figure: string) => `${formatCount(value)} ${figure}.`,
      compared: ({
        change,
        by,
        isMore,
        name,
        days,
        until,
      }: {
        change: string;
        by: string;
        isMore: boolean;
        name: string;
        days: string;
        until: (Zoned & { at: number }) | null;
      }) => {
        const time = until === null ? "" : `, both up to ${formatTime(until.at, until)}`;
        if (change === "asBefore") return `As many ${name} as in ${days}${time}.`;
        if (change === "new") return `There were no ${name} in ${days}.`;
        if (change === "times") return `${by} the ${name} of ${days}${time}.`;
        return `${by} ${isMore ? "more" : "fewer"} ${name} than in ${days}${time}.`;
      },
      daysInCommon: (days: number) =>
        days === 1
          ? "One is longer than the other: the first day of each is compared."
          : `One is longer than the other: the first ${formatCount(days)} days of each are compared.`,
    },
    annotations: {
      one: (when: string, text: string) => `Note of ${when}: ${text}.`,
      more: (notes: number) => `${plural(notes, "more note", "more notes")} in the table.`,
      mark: (when: string, said: string) => `${when}. ${said}`,
      failed: "The notes beside the trend could not be read.",
    },
    filters: {
      label: "Filter",
      choose: (value: string) => `Show only ${value}`,
      unchoose: (value: string) => `Stop showing only ${value}`,
      operators: {
        is: "is",
        isNot: "is not",
        contains: "contains",
        containsNot: "does not contain",
        matches: "matches",
      },
      or: " or ",
      add: "Add a filter",
      dimension: "Of",
      operator: "that",
      value: "Value",
      matchesHint: "* stands for anything",
      apply: "Filter",
      cancel: "Cancel",
      edit: (condition: string) => `Change: ${condition}`,
      remove: (condition: string) => `Remove: ${condition}`,
      clear: "Show all views",
      segments: "Segments",
      save: "Keep this filter",
      saveHow: "Whoever runs this Footfall keeps it under a name, so that it is always up to date:",
      making: (done: number, total: number) =>
        `${formatCount(done)} of ${formatCount(total)} days are counted so far; the newest first.`,
      partly: "Partial numbers",
      counting: "Counting for this filter",
      visitors:
        "Visitors: who has a view that meets the filter. Engaged time is not measured under a filter, except of one page.",
      useUnknown: "How pages were read is known of all pages and of one, not under other filters.",
      invalid: "This cannot be a filter: give at least one value.",
    },
    panels: {
      sources: "Sources",
      places: "Places",
      devices: "Devices",
      week: "Week by hour",
      events: "Events",
      leftOut: "Left out of the count",
      reading: "How pages were read",
    },
    tabs: {
      ever: "All time",
      period: "Period",
      entries: "Entries",
      exits: "Exits",
      engaged: "Engaged",
      sources: "Sources",
      channels: "Channels",
      referrers: "Referrers",
      campaigns: "Campaigns",
      countries: "Countries",
      languages: "Languages",
      zones: "Time zones",
      browsers: "Browser",
      systems: "System",
      devices: "Kind",
      screens: "Size",
    },
    ranked: { views: "Views", visits: "Visits", visitors: "Visitors", exits: "Exits" },
    engagedList: {
      path: "Page",
      time: "Engaged",
      each: "A view",
      note: "Time in front and in use, of the views that reported it.",
    },
    events: {
      name: "Event",
      count: "Count",
      visitors: "Visitors",
      open: (name: string) => `Show the properties of ${name}`,
      close: (name: string) => `Hide the properties of ${name}`,
      noProperties: "No properties",
      empty: "(empty)",
      loading: "Loading the properties",
      moreProperties: (keys: number) => plural(keys, "more property", "more properties"),
    },
    reading: {
      tabs: { scroll: "Scroll", vitals: "Web Vitals", touch: "Touch" },
      captions: { scroll: "How far", vitals: "Web Vital", touch: "Views" },
      columns: {
        scroll: ["Views", "Share"],
        vitals: ["75 % within", "Good"],
        touch: ["Views", "Share"],
      },
      foot: {
        scroll: (views: string) =>
          `Of the ${views} views that reported how far they were scrolled.`,
        vitals: (views: string) =>
          `Of up to ${views} page loads; rated by what three quarters are within.`,
        touch: (views: string) =>
          `Of ${views} views that reported. Who reads without a touch is among the untouched.`,
      },
      reached: (percent: number) => `Down to ${percent}%`,
      names: {
        lcpMs: "Largest paint",
        inpMs: "Reaction to input",
        cls: "Layout shift",
        fcpMs: "First paint",
        ttfbMs: "First byte",
      },
      ratings: { good: "good", fair: "needs work", poor: "poor" },
      touched: {
        people: "Touched by somebody",
        neither: "Untouched",
        synthetic: "Touched by a program",
      },
      missing: "No page of this period reported it. A page does with the part",
      parts: {
        scroll: "engagement (/s.js?parts=engagement)",
        vitals: "webVitals (/s.js?parts=vitals)",
        touch: "humanProbe (/s.js?parts=human)",
      },
    },
    leftOut: {
      kind: "Kind",
      hits: "Hits",
      share: "Share",
      nothing: "Nothing in the last 30 days.",
      asOf: (total: string, time: string) => `${total} in the last 30 days, as of ${time}.`,
      total: (hits: number, isAtLeast: boolean) =>
        `${isAtLeast ? "At least " : ""}${plural(hits, "hit", "hits")}`,
      restore: "A hit that was left out wrongly is put back with",
      command: "npx convex run stats:restoreFiltered",
      reasons: {
        bot: "Programs",
        "unknown site": "Unknown hosts",
        "excluded path": "Paths left out",
        "blocked host": "Blocked hosts",
        "blocked referrer": "Blocked referrers",
        prefetch: "Loaded ahead, not seen",
        "no browser": "No real browser",
        "rate limit": "Too many at once",
        "daily cap": "Beyond the day's limit",
      },
      kinds: {
        ai: "AI crawlers",
        search: "Search crawlers",
        "social preview": "Link previews",
        monitor: "Monitors",
        tool: "Tools",
        headless: "Headless browsers",
        library: "Scripts",
        other: "Other programs",
      },
    },
    dimensions: {
      path: "Page",
      pageType: "Page type",
      host: "Host",
      referrerHost: "Referring host",
      referrer: "Referrer",
      source: "Source",
      channel: "Channel",
      utmSource: "Campaign source",
      utmMedium: "Campaign medium",
      utmCampaign: "Campaign",
      utmTerm: "Campaign term",
      utmContent: "Campaign content",
      browser: "Browser",
      browserVersion: "Browser version",
      system: "System",
      systemVersion: "System version",
      device: "Device",
      screen: "Screen width",
      language: "Language",
      timeZone: "Time zone",
      country: "Country",
      hour: "Hour",
      weekdayHour: "Hour of the week",
    },
    values: {
      none: { source: "Direct, none", tag: "No campaign" },
      unknown: "Unknown",
      channels: {
        direct: "Direct, none",
        internal: "Own pages",
        search: "Search",
        social: "Social",
        email: "Email",
        ai: "AI assistants",
        paid: "Paid",
        campaign: "Campaigns",
        referral: "Other sites",
      },
    },
    rest: (values: number) => plural(values, "more", "more"),
    restOther: "(other)",
    restIncomplete:
      "An hour had more values than are kept by name; what did not fit is in here, and the total is exact.",
    nothing: "Nothing in this period",
    all: (values: number) => `All ${formatCount(values)}`,
    allList: {
      heading: (dimension: string) => `${dimension}: all values`,
      close: "Close",
      search: "Search this list",
      shown: (first: number, last: number, matching: number) =>
        `${formatCount(first)}–${formatCount(last)} of ${formatCount(matching)}`,
      previous: "Previous",
      next: "Next",
      none: "Nothing in this list is called that.",
      rest: (label: string, why: string) =>
        `“${label}”, at the end of the list, is the sum of all that is not listed. ${why}`.trim(),
    },
    toHour: (time: string) => `Up to ${time}; renewed every hour.`,
    notes: {
      countryByZone: "By the browser's time zone.",
      firstVisit: "A visitor counts once, under their first visit.",
    },
    map: {
      inWords: (figure: string, countries: number, most: string) =>
        countries === 0
          ? "Map: no country yet."
          : `Map of ${figure.toLowerCase()} by country, ${plural(countries, "country", "countries")}: ${most}. The list below has all.`,
      country: (name: string, count: number, figure: string) =>
        `${name}: ${formatCount(count)} ${figure.toLowerCase()}`,
      failed: "The map could not be loaded; the list below has the same.",
    },
    week: {
      caption: (timeZone: string) => `Views by weekday and hour, in ${timeZone}`,
      cell: (weekday: string, hour: number, views: number) =>
        `${weekday} ${String(hour).padStart(2, "0")}:00: ${plural(views, "view", "views")}`,
      least: "0",
      most: (views: number) => `${plural(views, "view", "views")} in one hour of the week`,
    },
  },
  announce: (online: number | null, views: number) =>
    `${online === null ? "" : `${plural(online, "person", "people")} online, `}${plural(views, "view", "views")} in total`,
} as const;
