/**
 * The documentation in reading order. A path that ends in a slash stands for all pages in that folder, sorted
 * by file name.
 */

export interface Chapter {
  readonly title: string;
  readonly files: readonly string[];
}

export const CHAPTERS: readonly Chapter[] = [
  { title: 'Start', files: ['docs/start.md'] },
  { title: 'Write', files: ['docs/writing.md', 'docs/sync.md'] },
  { title: 'Look', files: ['docs/theming.md'] },
  { title: 'People', files: ['docs/people.md'] },
  { title: 'Mail', files: ['docs/newsletter.md'] },
  {
    title: 'Operate',
    files: [
      'docs/hosting.md',
      'docs/operating.md',
      'docs/settings.md',
      'docs/commands.md',
      'docs/appwrite.md',
      'docs/security.md',
    ],
  },
  {
    title: 'Move in',
    files: [
      'docs/importing.md',
      'docs/importing-wordpress.md',
      'docs/importing-ghost.md',
      'docs/importing-medium.md',
      'docs/importing-substack.md',
      'docs/importing-blogger.md',
      'docs/importing-hashnode.md',
      'docs/importing-devto.md',
      'docs/importing-feed.md',
      'docs/moving-from-megablog.md',
    ],
  },
  { title: 'Move out', files: ['docs/exporting.md', 'docs/static-export.md'] },
  {
    title: 'How it works',
    files: [
      'docs/architecture.md',
      'docs/content.md',
      'docs/embedded.md',
      'docs/limits-of-writes.md',
      'docs/compare.md',
      'docs/decisions/',
    ],
  },
  { title: 'Contribute', files: ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'] },
];
