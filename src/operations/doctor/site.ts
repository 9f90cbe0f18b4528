/** What the doctor looks at. The checks are given it, and reach nothing by themselves but files and the network. */

/** The part of the configuration that checks look at. */
export interface DoctorSettings {
  readonly host: string;
  readonly dataDirectory: string;
  readonly siteUrl: string;
  readonly ownAddress: string;
  readonly trustedProxies: readonly string[];
  readonly appwrite: {
    /** Of a real Appwrite. */
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

/** A post as far as it can be found wanting. */
export interface PostFacts {
  readonly slug: string;
  readonly isPublished: boolean;
  readonly featuredImage: string;
  /** Files that its text, or a former version, names. */
  readonly files: readonly string[];
}

export interface FileFacts {
  readonly id: string;
  /** Of the last change, milliseconds since 1970. */
  readonly changedAt: number;
}

/** What only other rooms can find out. */
export interface DoctorTools {
  /** The process that has the data; undefined when none has. */
  readonly holder: () => { readonly pid: number; readonly host: string } | 'unknown' | undefined;
  /** Says that the database was lost; undefined where it is there, or there never was one. */
  readonly loss: () => string | undefined;
  /** Sentences about the database and the stored files; and the versions that they have and that this release knows. */
  readonly data: () => Promise<{
    readonly faults: readonly string[];
    readonly version: number;
    readonly known: number;
  }>;
  /** True where the server has a key, from the environment or from its file. */
  readonly hasKey: () => boolean;
  /** Counts the people whose second factors another server key sealed. */
  readonly lostFactors: () => number;
  /** Sentences about a backend that cannot be read, or is not set up. */
  readonly remoteFaults: () => Promise<readonly string[]>;
  /** What the running backend lacks of the schema. */
  readonly differences: () => Promise<readonly string[]>;
  readonly provision: () => Promise<readonly string[]>;
  /** Everything that the running backend holds. */
  readonly content: () => Promise<{ readonly posts: readonly PostFacts[]; readonly files: readonly FileFacts[] }>;
  /** Addresses of stored pages. */
  readonly storedPages: () => readonly string[];
  /** What the site at an address says of itself: its own `SITE_URL`; undefined when nothing answers. Throws for another program. */
  readonly siteAt: (origin: string) => Promise<string | undefined>;
  /** Why no mail can be sent; undefined when it can, or none is to be. */
  readonly mailFault: () => Promise<string | undefined>;
  readonly isBuildStale: () => boolean;
}

export interface DoctorSite {
  readonly settings: DoctorSettings;
  readonly tools: DoctorTools;
  /** Variables of the environment that are set, and the names that the product knows. */
  readonly variables: readonly string[];
  readonly knownVariables: readonly string[];
  /** Whether the site's own server answers: checks that ask it are left out otherwise. */
  readonly isRunning: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Finding {
  /** `check.fault`, the same in every release. */
  readonly id: string;
  /** What is wrong, in a sentence. */
  readonly sentence: string;
  /** What was seen. */
  readonly evidence: string;
  /** The command, or the step, that mends it. */
  readonly mend: string;
  /** Nothing is broken: the site is sound without it. */
  readonly isAdvice?: true;
  /** Mends it where nothing can be lost by that; gives what was done. */
  readonly fix?: () => Promise<string>;
}

export interface Check {
  readonly name: string;
  /** Left out while the site's server does not answer. */
  readonly needsServer?: boolean;
  /** Left out while the backend is not as it should be. */
  readonly needsBackend?: boolean;
  readonly run: (site: DoctorSite) => Promise<readonly Finding[]>;
}
