/** A release's version is three numbers (semver.org). Pre-releases are ignored. The tag of 1.2.3 is `v1.2.3`. */

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)$/;

const numbersOf = (version: string): number[] => (VERSION.exec(version) ?? []).slice(1).map(Number);

export const isVersion = (text: string): boolean => VERSION.test(text);

export const majorOf = (version: string): number => numbersOf(version)[0] ?? 0;

/** Returns a negative number if `left` is older than `right`, a positive one if it is newer, else 0. */
export function compareVersions(left: string, right: string): number {
  const others = numbersOf(right);
  return numbersOf(left).reduce((result, number, at) => result || number - (others[at] ?? 0), 0);
}

export interface Choice {
  /** The newest release that may be installed; undefined if it is already installed. */
  readonly version: string | undefined;
  /** The newest release, if its major version is too high to be installed; otherwise undefined. */
  readonly nextMajor: string | undefined;
}

/** @param names versions or tags; anything else is ignored */
export function chooseVersion(names: readonly string[], installed: string, mayBeMajor: boolean): Choice {
  const newer = names
    .filter((name) => isVersion(name) && compareVersions(name, installed) > 0)
    .map((name) => name.replace(/^v/, ''))
    .sort(compareVersions);
  const nextMajor = newer.findLast((version) => majorOf(version) > majorOf(installed));
  if (mayBeMajor) return { version: newer.at(-1), nextMajor: undefined };
  return { version: newer.findLast((version) => majorOf(version) === majorOf(installed)), nextMajor };
}

/** Returns the sections of CHANGELOG.md about the releases after `from`, up to and including `to`, newest first. */
export function notesBetween(changelog: string, from: string, to: string): string {
  return changelog
    .split(/^(?=## )/m)
    .filter((chapter) => {
      const version = /^## v?(\d+\.\d+\.\d+)\b/.exec(chapter)?.[1];
      return version && compareVersions(version, from) > 0 && compareVersions(version, to) <= 0;
    })
    .join('')
    .trim();
}
