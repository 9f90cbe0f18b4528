/**
 * Publishes and unpublishes posts at their scheduled times, with the server key. Does not publish a blocked author's
 * posts, and writes only if the post has not changed since it was read.
 */

import { type Models, Query } from 'node-appwrite';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import { type Post, postValues } from '#blog/post.ts';
import type { ArticleDocument } from '../document.ts';
import {
  databasesAsOf,
  fileAt,
  filesNamedIn,
  genuinePostAt,
  type KeyedBackend,
  keyedBackend,
} from '../keyed-backend.ts';
import { isShutOut } from '../people/is-shut-out.ts';
import { hideAll, hidePicturesOf, isExposed, ownerOf } from '../sweep/exposed.ts';
import type { ServerTarget } from '../target.ts';
import { UNKNOWN_ATTRIBUTE, unless } from '../unless.ts';

/** `publish` an inactive post at its `publishAt`, `unpublish` an active one at its `unpublishAt`. */
export type Action = 'publish' | 'unpublish';

export interface Appointment {
  readonly id: string;
  readonly action: Action;
  readonly at: number;
}

export interface Upcoming {
  /** Scheduled actions that are due, earliest first. */
  readonly due: readonly Appointment[];
  readonly next: number | undefined;
}

/**
 * - `elsewhere`: another instance or the author did it first
 * - `dropped`: the scheduled action is no longer valid, or the post changed during every attempt
 */
export type Outcome = 'done' | 'elsewhere' | 'dropped';

export type Schedule = ReturnType<typeof openSchedule>;

const FIELD = { publish: 'publishAt', unpublish: 'unpublishAt' } as const;
const STATUS_BEFORE = { publish: 'inactive', unpublish: 'active' } as const;
const STATUS_AFTER = { publish: 'active', unpublish: 'inactive' } as const;
const ACTIONS: readonly Action[] = ['publish', 'unpublish'];

const PAGE = 25;
/** Tolerated clock difference: a scheduled time that precedes the post's last write by more than this is ignored. */
const CLOCKS_DIFFER = 5 * 60_000;
/** Maximum attempts. A write that is refused because the post has changed is retried with the new version. */
const ATTEMPTS = 4;

export function openSchedule(target: ServerTarget) {
  const backend = keyedBackend(target);

  async function ofAction(action: Action, now: number): Promise<Upcoming> {
    const place = backend.articles;
    const field = FIELD[action];
    const due: Appointment[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { documents } = await backend.databases.listDocuments<ArticleDocument & Models.Document>({
        ...place,
        queries: [
          Query.equal('status', STATUS_BEFORE[action]),
          Query.greaterThan(field, new Date(0).toISOString()),
          Query.orderAsc(field),
          Query.limit(PAGE),
          Query.offset(offset),
          Query.select(['$id', '$updatedAt', '$permissions', 'status', 'userId', field]),
        ],
        total: false,
      });
      for (const document of documents) {
        const at = hourOf(document, action);
        if (at > now) return { due, next: at };
        if (isMeant(document.$updatedAt, at)) due.push({ id: document.$id, action, at });
      }
      if (documents.length < PAGE) return { due, next: undefined };
    }
  }

  async function change(post: Post, { action, at }: Appointment): Promise<boolean> {
    const place = backend.articles;
    const status = STATUS_AFTER[action];
    // The scheduled time becomes the post's date.
    const dated = action === 'publish' && { $createdAt: new Date(at).toISOString() };
    const changed = databasesAsOf(target, post.updatedAt).updateDocument({
      ...place,
      documentId: post.id,
      data: { status, [FIELD[action]]: null, ...dated },
      permissions: postPermissions(status, post.userId),
    });
    return (await unless(/_update_conflict$/, changed)) !== undefined;
  }

  return {
    /**
     * Returns the actions that are due and the time of the next one; nothing if the backend lacks the attributes for
     * scheduling.
     * @throws the SDK's error
     */
    async upcoming(now: number): Promise<Upcoming> {
      const found = ACTIONS.map((action) => unless(UNKNOWN_ATTRIBUTE, ofAction(action, now)));
      const lists = (await Promise.all(found)).filter((list) => list !== undefined);
      const hours = lists.flatMap(({ next }) => next ?? []);
      return {
        due: lists.flatMap(({ due }) => due).sort((one, other) => one.at - other.at),
        next: hours.length > 0 ? Math.min(...hours) : undefined,
      };
    },

    /**
     * Publishes or unpublishes a post. Before publishing, makes the post's pictures public.
     * @throws the SDK's error. The write may have succeeded anyway; if so, calling this again detects it.
     */
    async keep(appointment: Appointment): Promise<Outcome> {
      const { id, action, at } = appointment;
      const shared = new Set<string>();
      let outcome: Outcome = 'dropped';
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const post = await genuinePostAt(backend, id);
        if (!post) break;
        if (post.status === STATUS_AFTER[action]) {
          outcome = 'elsewhere';
          break;
        }
        if (hourOf(post, action) !== at || !isMeant(post.updatedAt, at)) break;
        if (action === 'publish') {
          // Checked here, because the server key could publish even a blocked author's post.
          if (await isShutOut(backend.users, post.userId)) break;
          // Makes the pictures public first, so that readers never see the post without them.
          for (const file of await share(backend, post)) shared.add(file);
        }
        if (!(await change(post, appointment))) continue;
        return 'done';
      }
      if (outcome === 'dropped') await hideAll(backend, shared);
      return outcome;
    },

    hidePictures: async (id: string): Promise<void> => void (await hidePicturesOf(target, id)),
  };
}

function hourOf(post: object, action: Action): number {
  return Date.parse(postValues(post)[FIELD[action]] ?? '');
}

const isMeant = (updatedAt: string, at: number): boolean => at >= Date.parse(updatedAt) - CLOCKS_DIFFER;

const picturesOf = ({ featuredImage, content }: Post): string[] =>
  [...new Set([featuredImage, ...filesNamedIn(content)])].filter(Boolean);

/** Makes a post's private pictures public if its author owns them. Returns the ids of these pictures. */
async function share(backend: KeyedBackend, post: Post): Promise<string[]> {
  const { storage, bucketId } = backend;
  const shared: string[] = [];
  for (const fileId of picturesOf(post)) {
    const file = await fileAt(backend, fileId);
    if (!file || isExposed(file) || ownerOf(file) !== post.userId) continue;
    await storage.updateFile({ bucketId, fileId, permissions: filePermissions('active', post.userId) });
    shared.push(fileId);
  }
  return shared;
}
