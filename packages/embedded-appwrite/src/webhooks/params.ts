/** What may be said of a webhook. */
import { type Validator, validator } from '../http/params.ts';

/** Services whose events the contract names, those included that never happen here: a list moved over stays valid. */
const SERVICES = new Set([
  'users',
  'databases',
  'tablesdb',
  'documentsdb',
  'vectorsdb',
  'buckets',
  'teams',
  'functions',
  'sites',
  'messaging',
  'providers',
  'topics',
  'messages',
  'rules',
  'proxy',
  'webhooks',
]);
const LONGEST_EVENT = 256;
const LONGEST_URL = 2048;

/** The name of an event, `*` standing for any id, such as `databases.*.collections.*.documents.*.create`. */
export function eventName(): Validator<string> {
  return validator('Event is not valid.', (raw) => {
    if (typeof raw !== 'string' || raw.length > LONGEST_EVENT) return undefined;
    const [service = '', ...rest] = raw.split('.');
    const wellFormed = rest.length > 0 && rest.every((part) => /^(\*|[A-Za-z0-9_-]+)$/.test(part));
    return SERVICES.has(service) && wellFormed ? raw : undefined;
  });
}

/** An address to post to. Hosts of this machine and of private networks are allowed: the operator's own are there. */
export function targetUrl(): Validator<string> {
  return validator('Value must be a valid URL with following schemes (http, https)', (raw) => {
    if (typeof raw !== 'string' || raw.length > LONGEST_URL) return undefined;
    const url = URL.parse(raw);
    return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? raw : undefined;
  });
}
