/** Checks that an attribute's kind is known and its default is within its bounds (contract 2.3, attributes). */
import { AppwriteError } from '../../http/errors.ts';
import type { AttributeDefinition } from '../catalogue/model.ts';
import { ATTRIBUTE_KINDS, type AttributeKind, INTEGER_MAX, KINDS, UNSUPPORTED_KINDS } from './kinds.ts';
import { valueReader } from './values.ts';

/** Maximum size of a string attribute, in characters. */
export const SIZE_MAX = 1_073_741_824;
/** Appwrite's maximum row size in bytes, enforced here so that a collection can be migrated to Appwrite. */
export const ROW_BYTES = 65_535;
const EMPTY_ROW_BYTES = 1067;
/** Appwrite's maximum length of a varchar column, in characters. */
const VARCHAR_MAX = 16_381;

export type AttributeInput = Omit<AttributeDefinition, 'size'> & { readonly size?: number; readonly encrypt?: boolean };

function unsupported(feature: string): AppwriteError {
  return new AppwriteError('general_feature_unsupported', `${feature} are not supported by this backend.`);
}

/** Returns the kind with this name. Throws 501 for kinds that only Appwrite supports, 400 for unknown ones. */
export function attributeKind(name: string): AttributeKind {
  const kind = ATTRIBUTE_KINDS.find((known) => known === name);
  if (kind) return kind;
  if (UNSUPPORTED_KINDS.some((known) => known === name)) throw unsupported(`Attributes of type ${name}`);
  throw new AppwriteError('attribute_type_invalid', `The attribute type "${name}" is invalid.`);
}

function checkDefault(definition: AttributeDefinition): void {
  if (definition.default === null) return;
  if (definition.required) {
    throw new AppwriteError('attribute_default_unsupported', 'Cannot set default value for required attribute');
  }
  if (definition.array) {
    throw new AppwriteError('attribute_default_unsupported', 'Cannot set default value for array attributes');
  }
  if (definition.kind === 'enum' && !definition.elements?.includes(String(definition.default))) {
    throw new AppwriteError('attribute_value_invalid', 'Default value not found in elements');
  }
  valueReader(definition)(
    definition.default,
    (text) => new AppwriteError('attribute_value_invalid', `Default value has invalid ${text}`),
  );
}

/** Checks a definition and fills in the size. Throws 400 for a contradictory one, 501 for an encrypted attribute. */
export function defineAttribute({ encrypt, ...input }: AttributeInput): AttributeDefinition {
  if (encrypt) throw unsupported('Encrypted attributes');
  const definition: AttributeDefinition = { ...input, size: KINDS[input.kind].size ?? input.size ?? 0 };
  const { min, max } = definition;
  if (min !== undefined && max !== undefined && min > max) {
    throw new AppwriteError('attribute_value_invalid', 'Minimum value must be lesser than maximum value');
  }
  if (definition.kind === 'enum' && !definition.elements?.length) {
    throw new AppwriteError('attribute_value_invalid', 'An enum needs at least one element');
  }
  checkDefault(definition);
  return definition;
}

function attributeBytes({ kind, array, size, max }: AttributeDefinition): number {
  if (array) return 20;
  switch (KINDS[kind].stored) {
    case 'boolean':
      return 1;
    case 'float':
      return 8;
    case 'datetime':
      return 7;
    case 'integer':
      return (max ?? INTEGER_MAX) > 2_147_483_647 ? 8 : 4;
  }
  if (size > 16_777_215 || kind === 'longtext') return 12;
  if (size > 65_535 || kind === 'mediumtext') return 11;
  if (size > VARCHAR_MAX || kind === 'text') return 10;
  return size * 4 + (size > 255 ? 2 : 1);
}

export function rowBytes(attributes: readonly AttributeDefinition[]): number {
  return attributes.reduce((bytes, attribute) => bytes + attributeBytes(attribute), EMPTY_ROW_BYTES);
}
