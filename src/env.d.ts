interface ImportMetaEnv {
  /** Names the sources that this build was made of. */
  readonly BUILD_ID: string;
}

declare namespace App {
  interface Locals {
    site: import('#blog/site.ts').Site;
    /** What the owner chose for its theme. */
    theme: import('#blog/theme/theme.ts').Theme;
    /** Scripts that a page with an island names, so that they come at once. Empty in development. */
    islandScripts: import('#server/astro/island-scripts.ts').IslandScripts;
    reader: import('#backend/server.ts').PublicReader;
    /** How often one address has searched. */
    searches: import('#api/attempts.ts').Attempts;
    /** Long texts are worked on in a thread of their own; in development in this one. */
    textTasks: import('#blog/content/text-tasks.ts').TextTasks;
    feedTexts: import('#blog/seo/feed-texts.ts').FeedTexts;
    /** The address whose attempts a request counts among, behind trusted proxies; `socketAddress` is the nearest of them. */
    addressOf: (request: Request, socketAddress: string) => string;
    /** Where posts are that had another address on another site. */
    redirects: import('#redirects/redirects-file.ts').Redirects;
    /** The page store asks, which finishes a page itself. */
    forStore?: true;
    /** Absent in development, where no page is stored. */
    publishing?: import('#api/locals.ts').PublishingLocals;
  }
}
