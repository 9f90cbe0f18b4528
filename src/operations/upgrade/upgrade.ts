/** The order of an upgrade: everything that can fail comes before anything changes, and what fails after that is taken back. */

export interface UpgradeSteps {
  /** Saves the data as they are; gives the file. */
  readonly backUp: () => Promise<string>;
  /** Puts the new release beside the old one, installed and built. */
  readonly prepare: () => Promise<void>;
  /** Lets the new release run on a copy of the data. */
  readonly rehearse: (backup: string) => Promise<void>;
  /** Puts the new release in the old one's place, the server's process included. */
  readonly change: () => Promise<void>;
  /** Looks for a while at the server that runs now; gives what is wrong with it. */
  readonly watch: () => Promise<string | undefined>;
  /** Puts the old release back, and the data where it cannot read them any more. */
  readonly takeBack: () => Promise<void>;
  /** Removes what `prepare` made. */
  readonly discard: () => Promise<void>;
}

export type Outcome =
  | { readonly kind: 'upgraded' }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The old release runs again. */
  | { readonly kind: 'taken back'; readonly why: string };

const sentence = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Never throws but what `takeBack` does: then somebody has to look. */
export async function upgrade(steps: UpgradeSteps, say: (what: string) => void): Promise<Outcome> {
  try {
    say('Backing up …');
    const backup = await steps.backUp();
    say('Installing and building the new release beside the old one …');
    await steps.prepare();
    say('Trying the new release on a copy of the data …');
    await steps.rehearse(backup);
  } catch (error) {
    await steps.discard();
    return { kind: 'refused', why: sentence(error) };
  }
  let why: string | undefined;
  try {
    say('Changing over …');
    await steps.change();
    say('Watching the server …');
    why = await steps.watch();
  } catch (error) {
    why = sentence(error);
  }
  if (why === undefined) return { kind: 'upgraded' };
  say(`${why} Taking it back …`);
  await steps.takeBack();
  return { kind: 'taken back', why };
}
