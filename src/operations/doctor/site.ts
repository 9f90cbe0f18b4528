/** The input of the doctor's checks, which reach only files and the network on their own. */

/** The part of the configuration that checks read. */
export interface DoctorSettings {
  readonly host: string;
  readonly dataDirectory: string;
  readonly siteUrl: string;
  readonly ownAddress: string;
  readonly trustedProxies: readonly string[];
  readonly appwrite: {
    /** The endpoint of a real Appwrite. */
    readonly endpoint: string | undefined;
    readonly projectId: string;
    readonly databaseId: string;
    readonly collectionId: string;
    readonly revisionsId: string;
    readonly bucketId: string;
  };
  readonly embedded: { readonly reserveMegabytes: number | undefined };
  readonly sweepsPictures: boolean;
  readonly backups: { readonly every: number; readonly directory: string } | undefined;
  readonly publishing: { readonly rebuildToken: string | undefined };
}

export interface PostFacts {
  readonly slug: string;
  readonly isPublished: boolean;
  readonly featuredImage: string;
  /** Ids of the files that its text, or a former version, names. */
  readonly files: readonly string[];
}

export interface FileFacts {
  readonly id: string;
  /** Time of the last change, milliseconds since 1970. */
  readonly changedAt: number;
}

/** Questions that only other rooms can answer. */
export interface DoctorTools {
  /** Returns the process that uses the data, if there is one. */
  readonly holder: () => { readonly pid: number; readonly host: string } | 'unknown' | undefined;
  /** Returns a sentence if the database was lost; undefined if it is there or never was. */
  readonly loss: () => string | undefined;
  /** Returns faults of the database and the stored files, its version, and the version this release knows. */
  readonly data: () => Promise<{
    readonly faults: readonly string[];
    readonly version: number;
    readonly known: number;
  }>;
  /** True if the server has a key, from the environment or from its file. */
  readonly hasKey: () => boolean;
  /** Counts people whose second factors were sealed with a different server key. */
  readonly lostFactors: () => number;
  /** Returns sentences about a backend that cannot be read or is not set up. */
  readonly remoteFaults: () => Promise<readonly string[]>;
  /** Returns what the running backend lacks of the schema. */
  readonly differences: () => Promise<readonly string[]>;
  readonly provision: () => Promise<readonly string[]>;
  readonly content: () => Promise<{ readonly posts: readonly PostFacts[]; readonly files: readonly FileFacts[] }>;
  /** Returns the paths of stored pages. */
  readonly storedPages: () => readonly string[];
  /** Returns the `SITE_URL` of the site at an address; undefined when nothing answers. Throws for another program. */
  readonly siteAt: (origin: string) => Promise<string | undefined>;
  /** Returns why no mail can be sent; undefined when mail works or is not set up. */
  readonly mailFault: () => Promise<string | undefined>;
  readonly isBuildStale: () => boolean;
}

export interface DoctorSite {
  readonly settings: DoctorSettings;
  readonly tools: DoctorTools;
  /** Names of the environment's variables, and of the product's settings. */
  readonly variables: readonly string[];
  readonly knownVariables: readonly string[];
  /** True if the site's own server answers. */
  readonly isRunning: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Finding {
  /** `check.fault`; stable across releases. */
  readonly id: string;
  readonly sentence: string;
  readonly evidence: string;
  /** The command or step that fixes it. */
  readonly mend: string;
  /** Nothing is broken: the exit code stays 0. */
  readonly isAdvice?: true;
  /** Fixes it without risk, and returns what was done. */
  readonly fix?: () => Promise<string>;
}

export interface Check {
  readonly name: string;
  /** Skipped while the site's server does not answer. */
  readonly needsServer?: boolean;
  /** Skipped while the backend has a fault. */
  readonly needsBackend?: boolean;
  readonly run: (site: DoctorSite) => AsyncIterable<Finding>;
}
