/**
 * What public pages say and no island does, in English: apart from the other texts, so that no browser loads it. What the
 * specification quotes (8) stands here word for word.
 */

export const footerText = {
  tagline:
    'Share your stories, insights, and ideas with the world. Join our community of passionate writers and readers creating meaningful content.',
  madeFor: 'Made for bloggers.',
  newsletterTitle: 'Stay Updated',
  newsletter: 'Get notified about new posts and updates.',
  subscribe: 'Subscribe',
  home: 'Home',
  allPosts: 'All Posts',
  createPost: 'Create Post',
  archive: 'Archive',
  feed: 'RSS feed',
  helpCenter: 'Help Center',
  contactUs: 'Contact Us',
  privacyPolicy: 'Privacy Policy',
  termsOfService: 'Terms of Service',
  backToTop: 'Back to Top',
  quickLinks: 'Quick links',
  support: 'Support',
  emailAddress: 'Email address',
} as const;

/** Author pages, the archive and search: beyond the specification. */
export const authorText = {
  unknown: 'An author without a name',
  title: (name: string) => `Posts by ${name}`,
  count: (posts: number) => (posts === 1 ? 'One post' : `${count(posts)} posts`),
} as const;

export const archiveText = {
  title: 'Archive',
  year: (year: number) => `Posts of ${year}`,
  allYears: 'All years',
  allOf: (year: number) => `All posts of ${year}`,
  empty: 'Nothing has been published yet',
} as const;

export const tagText = {
  all: 'Tags',
  /** Of a post's page, to those who do not see it. */
  label: 'Tags of this post',
  title: (name: string) => `Posts about “${name}”`,
  feed: 'Feed of this tag',
} as const;

export const searchText = {
  title: 'Search',
  label: 'Search for words in titles and texts',
  submit: 'Search',
  heading: (question: string) => `Results for “${question}”`,
  count: (posts: number) => (posts === 1 ? 'One post' : `${posts} posts`),
  /** Where there are more than one page has room for. */
  range: (from: number, to: number) => (from === to ? `Post ${from}` : `Posts ${from} to ${to}`),
  earlier: 'Previous results',
  further: 'More results',
  nothing: (question: string) => `Nothing was found for “${question}”`,
  nothingHelp: 'Try fewer words, or only the beginning of one.',
  tooMany: 'Too many searches',
  tooManyHelp: (seconds: number) =>
    `Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and search again.`,
  searching: 'Searching…',
  /** On a static host. */
  failed: 'The search could not be loaded',
  failedHelp: 'Check your connection and reload the page.',
  needsScript: 'Searching this site needs script, which is switched off in your browser.',
  archiveInstead: 'All posts are in the archive.',
} as const;

/** Names that the parts of a post's text have for those who cannot see them. */
export const contentText = {
  linkTo: (heading: string) => `Link to “${heading}”`,
  code: 'Code',
  codeIn: (language: string) => `Code in ${language}`,
  formula: 'Formula',
  table: 'Table',
  tableOf: (caption: string) => `Table: ${caption}`,
  footnotes: 'Footnotes',
  footnote: (mark: string) => `Footnote ${mark}`,
  backTo: (mark: string) => `Back to reference ${mark}`,
  done: 'Done',
  toDo: 'To do',
} as const;

/** Pages for what cannot be shown (spec 8, "Routing errors"). */
export const routeErrorText = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  noRoute: 'No route matches URL',
  unexpected: 'Unexpected Application Error!',
  badRequestHelp: 'The address of this page is not one that can be understood.',
  forbiddenHelp: 'This is not yours to open.',
  notAllowedHelp: 'This address does not answer to that.',
  unexpectedHelp: 'The fault is ours and was written down. Try again in a moment.',
  lostPostHelp: 'It may have been moved, taken back, or never written.',
  goingHome: (seconds: number) => `Taking you to the home page in ${seconds} seconds.`,
  stay: 'Stay here',
  staying: 'You are staying here.',
  newest: 'The newest posts',
  error: 'Error',
  unavailable: 'The page cannot be shown now',
} as const;

const count = (value: number): string => value.toLocaleString('en-US');

/** The page of a link that shows a draft. */
export const draftPageText = {
  isDraft: 'This is a draft',
  until: (time: string) => `shared until ${time} UTC`,
  notShown: 'This link shows nothing',
  unknown: 'There is no such link. Was all of the address copied?',
  expired: 'It has expired. Ask whoever sent it for another.',
  gone: 'It was taken back, or the post is no more. Its author can tell.',
  tooMany: 'It was asked for too often. Try again in a minute.',
} as const;

export const layoutText = {
  search: 'Search',
  skip: 'Skip to content',
  mainNavigation: 'Main',
  homeOf: (site: string) => `${site}, home`,
  darkTheme: 'Dark theme',
  loadFailed: 'The page could not be loaded. Check your connection.',
  reload: 'Reload the page',
  needsScript: 'This page needs JavaScript. Reading works without it:',
  needsScriptHome: 'go back to home',
} as const;

export const paginationText = {
  pages: 'Pages',
  newer: 'Newer',
  newerPosts: 'Newer posts',
  older: 'Older',
  olderPosts: 'Older posts',
  position: (page: number, pages: number) => `Page ${page} of ${pages}`,
  /** The title of a list's later page. */
  later: (title: string, page: number) => `${title}, page ${page}`,
} as const;

export const articleText = {
  contents: 'Contents',
  more: 'More posts',
  previous: 'Previous',
  next: 'Next',
} as const;

export const homePageText = {
  latestPosts: 'Latest Posts',
  callToAction: 'Have something to share?',
  welcome: 'Welcome to Your Blog',
  ready: 'Ready to get started?',
  viewAll: 'View All Posts',
  loading: 'Loading posts...',
  retry: 'Retry',
} as const;
