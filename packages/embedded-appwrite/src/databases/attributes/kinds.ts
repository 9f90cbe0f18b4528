/** Attribute kinds that the SDK offers but this backend does not support (contract 6). */
export const UNSUPPORTED_KINDS = ['relationship', 'point', 'line', 'polygon'] as const;

interface KindFacts {
  readonly type: string;
  readonly format?: string;
  readonly stored: 'string' | 'integer' | 'float' | 'boolean' | 'datetime';
  /** Fixed maximum length in characters, 0 for non-strings; absent if each attribute sets its own. */
  readonly size?: number;
}

const kindsOf = <K extends string>(kinds: Readonly<Record<K, KindFacts>>) => kinds;

export const KINDS = kindsOf({
  string: { type: 'string', stored: 'string' },
  varchar: { type: 'varchar', stored: 'string' },
  text: { type: 'text', stored: 'string', size: 16_383 },
  mediumtext: { type: 'mediumtext', stored: 'string', size: 4_194_303 },
  longtext: { type: 'longtext', stored: 'string', size: 1_073_741_823 },
  enum: { type: 'string', format: 'enum', stored: 'string', size: 255 },
  email: { type: 'string', format: 'email', stored: 'string', size: 254 },
  url: { type: 'string', format: 'url', stored: 'string', size: 2000 },
  ip: { type: 'string', format: 'ip', stored: 'string', size: 39 },
  datetime: { type: 'datetime', format: '', stored: 'datetime', size: 0 },
  boolean: { type: 'boolean', stored: 'boolean', size: 0 },
  integer: { type: 'integer', stored: 'integer', size: 0 },
  bigint: { type: 'bigint', stored: 'integer', size: 0 },
  float: { type: 'double', stored: 'float', size: 0 },
});
export type AttributeKind = keyof typeof KINDS;
export const ATTRIBUTE_KINDS = Object.keys(KINDS) as AttributeKind[];

export const INTEGER_MIN = -(2n ** 63n);
export const INTEGER_MAX = 2n ** 63n - 1n;
