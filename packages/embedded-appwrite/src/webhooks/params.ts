import { type Validator, validator } from '../http/params.ts';

/** Services in event names, including ones that this backend lacks, so that webhooks moved from Appwrite stay valid. */
const SERVICES = new Set([
  ...['users', 'databases', 'tablesdb', 'documentsdb', 'vectorsdb', 'buckets', 'teams', 'functions', 'sites'],
  ...['messaging', 'providers', 'topics', 'messages', 'rules', 'proxy', 'webhooks'],
]);
const LONGEST_EVENT = 256;
const LONGEST_URL = 2048;

/** Accepts an event name, with `*` for any id, such as `databases.*.collections.*.documents.*.create`. */
export function eventName(): Validator<string> {
  return validator('Event is not valid.', (raw) => {
    if (typeof raw !== 'string' || raw.length > LONGEST_EVENT) return undefined;
    const [service = '', ...rest] = raw.split('.');
    const wellFormed = rest.length > 0 && rest.every((part) => /^(\*|[A-Za-z0-9_-]+)$/.test(part));
    return SERVICES.has(service) && wellFormed ? raw : undefined;
  });
}

/** Accepts a URL, including private hosts, because the operator's own receivers run there. */
export function targetUrl(): Validator<string> {
  return validator('Value must be a valid URL with following schemes (http, https)', (raw) => {
    if (typeof raw !== 'string' || raw.length > LONGEST_URL) return undefined;
    const url = URL.parse(raw);
    return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? raw : undefined;
  });
}
