/** Input for the doctor's checks. The checks also read files and make network requests themselves. */
import type { EveryContent } from '#backend/server-key/every-content.ts';

export interface DoctorSettings {
  readonly host: string;
  readonly dataDirectory: string;
  readonly siteUrl: string;
  readonly ownAddress: string;
  readonly trustedProxies: readonly string[];
  readonly appwrite: { readonly endpoint: string | undefined };
  readonly embedded: { readonly reserveMegabytes: number | undefined };
  readonly sweepsPictures: boolean;
  readonly backups: { readonly every: number; readonly directory: string } | undefined;
  readonly publishing: { readonly rebuildToken: string | undefined };
}

export interface DoctorTools {
  readonly holder: () => { readonly pid: number; readonly host: string } | 'unknown' | undefined;
  readonly loss: () => string | undefined;
  readonly data: () => Promise<{
    readonly faults: readonly string[];
    readonly version: number;
    readonly known: number;
  }>;
  readonly hasKey: () => boolean;
  readonly lostFactors: () => number;
  readonly remoteFaults: () => Promise<readonly string[]>;
  readonly differences: () => Promise<readonly string[]>;
  readonly provision: () => Promise<readonly string[]>;
  readonly content: () => Promise<EveryContent>;
  readonly storedPages: () => readonly string[];
  /** Returns the names of stored settings that this version cannot use. */
  readonly unusableSettings: () => Promise<readonly string[]>;
  /** Returns the number of people who have passkeys for another host. */
  readonly peopleOfOtherHosts: (host: string) => Promise<number>;
  /**
   * Returns the `SITE_URL` of the site at an address; undefined if nothing responds. Throws if another program
   * responds.
   */
  readonly siteAt: (origin: string) => Promise<string | undefined>;
  /** Returns the reason why email cannot be sent; undefined if email works or is not set up. */
  readonly mailFault: () => Promise<string | undefined>;
  readonly isBuildStale: () => boolean;
}

export interface DoctorSite {
  readonly settings: DoctorSettings;
  readonly tools: DoctorTools;
  readonly variables: readonly string[];
  readonly knownVariables: readonly string[];
  readonly isRunning: boolean;
  /** Unix time in milliseconds. */
  readonly now: number;
}

export interface Finding {
  /** Has the form `check.fault` and is stable across releases. */
  readonly id: string;
  readonly sentence: string;
  readonly evidence: string;
  readonly mend: string;
  /** True for advice: nothing is broken, and the exit code stays 0. */
  readonly isAdvice?: true;
  readonly fix?: () => Promise<string>;
}

export interface Check {
  readonly name: string;
  /** True to skip the check while the site's server is not running. */
  readonly needsServer?: boolean;
  readonly needsBackend?: boolean;
  readonly run: (site: DoctorSite) => AsyncIterable<Finding>;
}
