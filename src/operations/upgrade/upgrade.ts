/** Upgrades the site: backs up, builds the new release, tries it on a copy, and switches; on failure, switches back. */

export interface UpgradeSteps<Release = unknown> {
  readonly backUp: () => Promise<string>;
  readonly prepare: () => Promise<Release>;
  readonly rehearse: (release: Release, backup: string) => Promise<void>;
  readonly change: (release: Release) => Promise<void>;
  readonly watch: () => Promise<string | undefined>;
  /** Restores the old release, and also the old data if that release cannot read the current data. */
  readonly takeBack: (release: Release) => Promise<void>;
  readonly discard: () => Promise<void>;
}

export type Outcome<Release> =
  | { readonly kind: 'upgraded'; readonly release: Release }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'taken back'; readonly why: string };

const sentence = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Runs the steps. Rejects only with errors from `takeBack` and `discard`, which the operator must resolve. */
export async function upgrade<Release>(
  steps: UpgradeSteps<Release>,
  say: (what: string) => void,
): Promise<Outcome<Release>> {
  let release: Release;
  try {
    say('Backing up …');
    const backup = await steps.backUp();
    say('Installing and building the new release beside the old one …');
    release = await steps.prepare();
    say('Trying the new release on a copy of the data …');
    await steps.rehearse(release, backup);
  } catch (error) {
    await steps.discard();
    return { kind: 'refused', why: sentence(error) };
  }
  let why: string | undefined;
  try {
    say('Switching to the new release …');
    await steps.change(release);
    say('Watching the server …');
    why = await steps.watch();
  } catch (error) {
    why = sentence(error);
  }
  if (why === undefined) return { kind: 'upgraded', release };
  say(`${why} Switching back …`);
  await steps.takeBack(release);
  return { kind: 'taken back', why };
}
