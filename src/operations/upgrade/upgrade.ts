/** The steps of an upgrade. Everything that can fail comes before the change, and a later failure is taken back. */

export interface UpgradeSteps {
  /** Returns the backup's file. */
  readonly backUp: () => Promise<string>;
  /** Installs and builds the new release beside the old one. */
  readonly prepare: () => Promise<void>;
  /** Runs the new release on a copy of the data. */
  readonly rehearse: (backup: string) => Promise<void>;
  /** Replaces the old release and its server. */
  readonly change: () => Promise<void>;
  /** Watches the new server for a while, and returns what is wrong. */
  readonly watch: () => Promise<string | undefined>;
  /** Restores the old release, and the data if it cannot read them any longer. */
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

/** Throws only an error of `takeBack`, which needs the operator. */
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
