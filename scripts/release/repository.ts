import packageFile from '../../package.json' with { type: 'json' };

const { repository }: { readonly repository?: string | { readonly url: string } } = packageFile as object;

/** URL of the repository that package.json names, if any. */
export const REPOSITORY = (typeof repository === 'string' ? repository : repository?.url)
  ?.replace(/^git\+/, '')
  .replace(/\.git$/, '');
