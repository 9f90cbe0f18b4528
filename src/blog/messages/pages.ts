/** Texts of public pages. No island uses them. Quotes from the specification (8) stay verbatim. */

import de from './de/pages.json' with { type: 'json' };
import { type Language, textsOf } from './language.ts';

export const en = {
  footerText: {
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
  },

  authorText: {
    unknown: 'Unnamed author',
    title: 'Posts by {name}',
    count: { one: 'One post', other: '{count} posts' },
  },

  archiveText: {
    title: 'Archive',
    year: 'Posts from {year}',
    allYears: 'All years',
    allOf: 'All posts from {year}',
    empty: 'Nothing has been published yet',
  },

  tagText: {
    all: 'Tags',
    label: 'Tags of this post',
    title: 'Posts about “{name}”',
    feed: 'Feed for this tag',
  },

  searchText: {
    title: 'Search',
    label: 'Search for words in titles and texts',
    submit: 'Search',
    heading: 'Results for “{question}”',
    count: { one: 'One post', other: '{count} posts' },
    range: 'Posts {from} to {to}',
    single: 'Post {place}',
    earlier: 'Previous results',
    further: 'More results',
    nothing: 'Nothing was found for “{question}”',
    nothingHelp: 'Try fewer words, or only the beginning of one.',
    tooMany: 'Too many searches',
    tooManyHelp: {
      one: 'Please wait a second and search again.',
      other: 'Please wait {count} seconds and search again.',
    },
    searching: 'Searching…',
    failed: 'Search couldn’t be loaded',
    failedHelp: 'Check your connection and reload the page.',
    needsScript: 'Search needs JavaScript, which is switched off in your browser.',
    archiveInstead: 'All posts are in the archive.',
  },

  contentText: {
    linkTo: 'Link to “{heading}”',
    code: 'Code',
    codeIn: 'Code in {language}',
    formula: 'Formula',
    table: 'Table',
    tableOf: 'Table: {caption}',
    footnotes: 'Footnotes',
    footnote: 'Footnote {mark}',
    backTo: 'Back to reference {mark}',
    done: 'Done',
    toDo: 'To do',
  },

  routeErrorText: {
    400: 'Bad Request',
    403: 'Forbidden',
    404: 'Not Found',
    405: 'Method Not Allowed',
    noRoute: 'No route matches URL',
    unexpected: 'Unexpected Application Error!',
    badRequestHelp: 'The address of this page can’t be understood.',
    forbiddenHelp: 'You don’t have access to this page.',
    notAllowedHelp: 'This address doesn’t accept that request.',
    unexpectedHelp: 'Something went wrong on our side; it has been logged. Try again in a moment.',
    lostPostHelp: 'It may have been moved, unpublished or never written.',
    goingHome: 'Taking you to the home page in {seconds} seconds.',
    stay: 'Stay here',
    staying: 'You’ll stay on this page.',
    newest: 'The newest posts',
    error: 'Error',
    unavailable: 'This page can’t be shown right now',
  },

  draftPageText: {
    isDraft: 'This is a draft',
    until: 'shared until {time} UTC',
    notShown: 'This link doesn’t work',
    unknown: 'This link doesn’t exist. Did you copy the whole address?',
    expired: 'It has expired. Ask the person who sent it for a new one.',
    gone: 'It was revoked, or the post was deleted. Ask its author.',
    tooMany: 'It was opened too often. Try again in a minute.',
  },

  layoutText: {
    search: 'Search',
    skip: 'Skip to content',
    mainNavigation: 'Main',
    homeOf: '{site}, home',
    darkTheme: 'Dark theme',
    loadFailed: 'The page couldn’t be loaded. Check your connection.',
    reload: 'Reload the page',
    needsScript: 'This page needs JavaScript. Reading works without it:',
    needsScriptHome: 'go back to home',
    offline: 'You’re offline. This is the copy saved on this device.',
    unreachable: 'The site can’t be reached. This is the copy saved on this device.',
    shareFailed: 'What you shared didn’t arrive. Open this page once while you’re online, then share it again.',
  },

  paginationText: {
    pages: 'Pages',
    newer: 'Newer',
    newerPosts: 'Newer posts',
    older: 'Older',
    olderPosts: 'Older posts',
    position: 'Page {page} of {pages}',
    later: '{title}, page {page}',
  },

  articleText: {
    contents: 'Contents',
    more: 'More posts',
    previous: 'Previous',
    next: 'Next',
  },

  homePageText: {
    latestPosts: 'Latest Posts',
    callToAction: 'Have something to share?',
    welcome: 'Welcome to Your Blog',
    ready: 'Ready to get started?',
    viewAll: 'View All Posts',
    retry: 'Retry',
  },
} as const;

export const {
  footerText,
  authorText,
  archiveText,
  tagText,
  searchText,
  contentText,
  routeErrorText,
  draftPageText,
  layoutText,
  paginationText,
  articleText,
  homePageText,
} = textsOf(en, de);

export const taglineIn = (language: Language): string => (language === 'de' ? de : en).footerText.tagline;
