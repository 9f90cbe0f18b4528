import { JsonBounds } from '@common-ink/http/limits/json-bounds.ts';
import { JSON_LIMITS } from '../http/body.ts';
import { AppwriteError } from '../http/errors.ts';
import { isId } from '../identifiers.ts';

export interface SubscribeItem {
  /** Chosen by the client, or by the server if absent. */
  readonly subscriptionId?: string;
  readonly channels: readonly string[];
  readonly queries: readonly string[];
}

export type ClientFrame =
  | { readonly type: 'ping' }
  | { readonly type: 'authentication'; readonly session: string }
  | { readonly type: 'subscribe'; readonly items: readonly SubscribeItem[] }
  | { readonly type: 'unsubscribe'; readonly subscriptionIds: readonly string[] };

/** Maximum length of a channel name in characters: four ids of 36 characters and the words between them. */
const LONGEST_CHANNEL = 256;
const LONGEST_QUERY = 4096;
const MOST = 100;

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const fault = (message?: string) => new AppwriteError('realtime_message_format_invalid', message);

/** Returns the rows of `data`; PHP clients send an empty object for an empty list. */
function rows(data: unknown): Json[] {
  if (isObject(data) && Object.keys(data).length === 0) return [];
  if (!Array.isArray(data) || !data.every(isObject)) throw fault('Payload is not valid.');
  if (data.length > MOST) throw fault(`Payload is not valid. At most ${MOST} subscriptions fit one message.`);
  return data;
}

function texts(value: unknown, name: string, longest: number): string[] {
  const valid = (item: unknown) => typeof item === 'string' && item.length <= longest;
  if (Array.isArray(value) && value.length <= MOST && value.every(valid)) return value;
  throw fault(`items: ${name} must be a list of at most ${MOST} strings, each no longer than ${longest} chars.`);
}

function subscriptionId(row: Json): string | undefined {
  const { subscriptionId: id } = row;
  if (id === undefined || id === null) return undefined;
  if (typeof id === 'string' && isId(id)) return id;
  throw fault('items: subscriptionId must be a valid id of at most 36 chars.');
}

function subscribeItem(row: Json): SubscribeItem {
  const id = subscriptionId(row);
  if (!Array.isArray(row.channels) || row.channels.length === 0) {
    throw fault('items: channels is not present in payload.');
  }
  return {
    ...(id !== undefined && { subscriptionId: id }),
    channels: texts(row.channels, 'channels', LONGEST_CHANNEL),
    queries: texts(row.queries ?? [], 'queries', LONGEST_QUERY),
  };
}

function unsubscribed(row: Json): string {
  const id = subscriptionId(row);
  if (id === undefined) throw fault('items: subscriptionId is not present in payload.');
  return id;
}

function parsed(text: string): Json {
  if (new JsonBounds(JSON_LIMITS).fault(Buffer.from(text))) throw fault();
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw fault();
  }
  if (!isObject(frame) || typeof frame.type !== 'string') throw fault();
  return frame;
}

/** Parses a client's frame. Throws 1003 for an invalid one. */
export function readFrame(text: string): ClientFrame {
  const { type, data } = parsed(text);
  switch (type) {
    case 'ping':
      return { type };
    case 'authentication': {
      const session = isObject(data) ? data.session : undefined;
      if (typeof session !== 'string' || session === '') {
        throw fault('Payload is not valid. Session is required');
      }
      return { type, session };
    }
    case 'subscribe':
      return { type, items: rows(data).map(subscribeItem) };
    case 'unsubscribe':
      return { type, subscriptionIds: rows(data).map(unsubscribed) };
    default:
      throw fault('Message type is not valid.');
  }
}
