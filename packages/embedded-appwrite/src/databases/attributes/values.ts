/** Checks attribute values without coercing them. Error messages follow the contract (2.3, structure errors). */
import { isIP } from 'node:net';
import { isEmail, longerThan } from '../../http/params.ts';
import type { AttributeDefinition } from '../catalogue/model.ts';
import { normaliseDate } from '../dates.ts';
import type { SqlValue } from '../query/schema.ts';
import { encodeValue } from '../query/values.ts';
import { INTEGER_MAX, INTEGER_MIN, KINDS } from './kinds.ts';

/** Returns a non-null value's stored form or throws `refuse(text)`; `text` completes `Attribute "k" has invalid …`. */
export type ValueReader = (value: unknown, refuse: (text: string) => Error) => SqlValue;

const INTEGER_TEXT =
  'format. Value must be a valid signed 64-bit integer between -9,223,372,036,854,775,808 and 9,223,372,036,854,775,808';
const DATE_TEXT = 'type. Value must be valid date between 1000-01-01 00:00:00 and 9999-12-31 23:59:59.';

/** Matches URLs in printable ASCII, as PHP's `filter_var` does, except those with a scheme that can run scripts. */
const URL_FORM = /^(?:(?!javascript:|vbscript:|data:)[a-z][a-z0-9+.-]*:\/\/[^/?#]+|mailto:.)[!-~]*$/i;

const shown = (number: number | bigint): string => number.toLocaleString('en-US', { maximumFractionDigits: 20 });

function readString(size: number): ValueReader {
  const fault = `type. Value must be a valid string and no longer than ${size} chars`;
  return (value, refuse) => {
    if (typeof value !== 'string' || longerThan(value, size)) throw refuse(fault);
    return value;
  };
}

function readFormatted(attribute: AttributeDefinition, accepts: (text: string) => boolean, fault: string): ValueReader {
  const { size } = KINDS[attribute.kind];
  return (value, refuse) => {
    if (typeof value !== 'string' || longerThan(value, size ?? attribute.size) || !accepts(value)) {
      throw refuse(`format. ${fault}`);
    }
    return value;
  };
}

function readNumber(attribute: AttributeDefinition, type: 'integer' | 'float', fault: string): ValueReader {
  const { min = INTEGER_MIN, max = INTEGER_MAX } = attribute;
  const bounded = attribute.min !== undefined || attribute.max !== undefined;
  const range = `format. Value must be a valid range between ${shown(min)} and ${shown(max)}`;
  return (value, refuse) => {
    const encoded = encodeValue(type, value);
    if (typeof encoded !== 'number' && typeof encoded !== 'bigint') throw refuse(fault);
    if (bounded && (encoded < min || encoded > max)) throw refuse(range);
    return encoded;
  };
}

const readDate: ValueReader = (value, refuse) => {
  const date = typeof value === 'string' ? normaliseDate(value) : undefined;
  if (date === undefined) throw refuse(DATE_TEXT);
  return date;
};

const readBoolean: ValueReader = (value, refuse) => {
  if (typeof value !== 'boolean') throw refuse('type. Value must be a valid boolean');
  return Number(value);
};

export function valueReader(attribute: AttributeDefinition): ValueReader {
  switch (attribute.kind) {
    case 'boolean':
      return readBoolean;
    case 'datetime':
      return readDate;
    case 'integer':
    case 'bigint':
      return readNumber(attribute, 'integer', INTEGER_TEXT);
    case 'float':
      return readNumber(attribute, 'float', 'format. Value must be a valid float');
    case 'enum': {
      const elements = new Set(attribute.elements);
      const text = `Value must be one of (${[...elements].join(', ')})`;
      return readFormatted(attribute, (value) => elements.has(value), text);
    }
    case 'email':
      return readFormatted(attribute, isEmail, 'Value must be a valid email address');
    case 'url':
      return readFormatted(attribute, (text) => URL_FORM.test(text) && URL.canParse(text), 'Value must be a valid URL');
    case 'ip':
      return readFormatted(attribute, (text) => isIP(text) !== 0, 'Value must be a valid IP address');
    default:
      return readString(attribute.size);
  }
}

export function storedJson(attribute: AttributeDefinition, value: SqlValue): string {
  if (value === null) return 'null';
  switch (KINDS[attribute.kind].stored) {
    case 'string':
      return JSON.stringify(value);
    case 'datetime':
      return `"${value}"`;
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return String(value);
  }
}
