interface ImportMetaEnv {
  /** Hash of the source files from which this build was made. */
  readonly BUILD_ID: string;
}

declare namespace App {
  interface Locals {
    site: import('#blog/site.ts').Site;
    /** The site's theme, with the owner's settings applied. */
    theme: import('#blog/theme/theme.ts').Theme;
    /** Scripts that island pages preload. Empty in development. */
    islandScripts: import('#server/astro/island-scripts.ts').IslandScripts;
    reader: import('#backend/server.ts').PublicReader;
    /** Limits searches per client network. */
    searches: import('#api/attempts.ts').Attempts;
    /** Processes long texts in a worker thread; in development, in the thread that renders pages. */
    textTasks: import('#blog/content/text-tasks.ts').TextTasks;
    feedTexts: import('#blog/seo/feed-texts.ts').FeedTexts;
    /**
     * Returns the client's network, for rate limits. `socketAddress` is the address of the peer, which is the client or
     * a trusted proxy.
     */
    addressOf: (request: Request, socketAddress: string) => string;
    /** Redirects from the URLs that imported posts had on their original site. */
    redirects: import('#redirects/redirects-file.ts').Redirects;
    /** True if the page store requests the page. The store compresses pages itself, so the middleware does not. */
    forStore?: true;
    /** Absent in development, where no page is stored. */
    publishing?: import('#api/locals.ts').PublishingLocals;
  }
}
