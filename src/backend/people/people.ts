/** Manages the members and accounts of one site. Asks the backend for a caller's role each time it is checked. */

import { type Client, Teams } from 'node-appwrite';
import { DomainError } from '#blog/errors.ts';
import {
  isModerator,
  type Moderation,
  type PeopleAction,
  type PeopleOutcome,
  type PeoplePage,
  type SiteRole,
  type SiteState,
  type Writers,
} from '#blog/people.ts';
import { isShared } from '#blog/permissions.ts';
import { RESET_PASSWORD, welcomePath } from '#blog/routes/paths.ts';
import { keyedBackend, postAt } from '../keyed-backend.ts';
import type { ServerTarget } from '../target.ts';
import { clientOfCaller } from '../verify-session.ts';
import {
  accountOf,
  block,
  endAccess,
  endSessions,
  inviteByMail,
  isPasswordOf,
  isUnproven,
  listPeople,
  namesOf,
  oneTimeSecret,
  setBlocked,
  setPasswordAfterLink,
  storageByPerson,
  userByEmail,
} from './accounts.ts';
import { deleteUser } from './delete-user.ts';
import { deletePostOf, handOver, handOverAll, renameTag, takeBack } from './posts-of-others.ts';
import { createRecovery } from './recovery.ts';
import { newLabel, sealLink, unsealLink, withoutLink } from './sealed-link.ts';
import { endInvitations, everyMember, giveRole, membershipOf, ownersOf } from './site-team.ts';
import { letWrite, whoWrites } from './who-writes.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const LINK_HOLDS = HOUR;
const INVITATION_HOLDS = 7 * DAY;

/** Appwrite allows at most a hundred values in a query. */
const MOST_MEMBERS = 100;

/** Changed and deleted posts. For transferred posts, `authors` are the previous and the new author. */
export interface ChangedPosts {
  readonly slugs: readonly string[];
  readonly gone?: readonly string[];
  readonly authors?: readonly string[];
}

export interface PeopleOptions {
  readonly siteUrl: string;
  readonly writers: Writers | undefined;
  /** Called after each change to posts; resolves once no public page shows the old state. */
  readonly published: (changed: ChangedPosts) => Promise<unknown>;
}

export type People = ReturnType<typeof createPeople>;

/** A method rejects with a `DomainError` if the call is refused, and with the SDK's error if the backend fails. */
export function createPeople(target: ServerTarget, { siteUrl, writers, published }: PeopleOptions) {
  const backend = keyedBackend(target);
  const { users } = backend;
  const recovery = createRecovery(target, siteUrl + RESET_PASSWORD);

  const roleOf = async (userId: string): Promise<SiteRole | undefined> => {
    const member = await membershipOf(target, userId);
    return member?.hasJoined ? member.role : undefined;
  };

  let turn: Promise<unknown> = Promise.resolve();
  /** Runs changes to members one after the other, within this process only. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  const asOwner = async (userId: string): Promise<void> => {
    if ((await roleOf(userId)) !== 'owner') throw new DomainError('not-allowed');
  };

  const notLastOwner = async (userId: string): Promise<void> => {
    const owners = await ownersOf(target);
    if (owners.length === 1 && owners[0] === userId) throw new DomainError('last-owner');
  };

  /** Creates a one-time link that signs in a user. @param maker the owner who asks for it; null for the operator */
  const link = async (userId: string, seconds: number, maker: string | null, isRenewed = false): Promise<string> => {
    const role = (await roleOf(userId)) ?? null;
    const secret = await oneTimeSecret(target, userId, seconds);
    const { passwordUpdate, labels } = await users.get({ userId });
    const label = newLabel();
    await users.updateLabels({ userId, labels: [...withoutLink(labels), label] });
    const sealed = sealLink(target.apiKey, userId, { secret, label, maker, role, passwordUpdate });
    return `${siteUrl}${welcomePath({ isRenewed, proof: `${userId}.${sealed}` })}`;
  };

  /**
   * @throws DomainError for another owner's account, because only that owner and the operator may create sign-in links
   * for it
   */
  const notAnotherOwner = async (caller: string, userId: string): Promise<void> => {
    if (userId !== caller && (await roleOf(userId)) === 'owner') throw new DomainError('owner-link');
  };

  async function invite(
    caller: string,
    client: Client,
    { email, role, by }: Extract<PeopleAction, { action: 'invite' }>,
  ): Promise<PeopleOutcome> {
    const user = await userByEmail(target, email);
    const known = user && (await roleOf(user.$id));
    // Anyone can sign up with any address, so an unverified account loses its password, passkeys and sessions.
    const isRenewed = user !== undefined && !known && (await isUnproven(target, user));
    if (isRenewed) await endAccess(target, user.$id);
    const url = `${siteUrl}${welcomePath({ isRenewed })}`;
    if (by === 'mail' && !known && (await inviteByMail(target, new Teams(client), { email, role, url }))) {
      return { isMailed: true, isRenewed };
    }
    const { $id } = user ?? (await accountOf(target, email));
    if (known === 'owner' && role !== 'owner') await notLastOwner($id);
    if (by === 'link' && role === 'owner') await notAnotherOwner(caller, $id);
    await giveRole(target, $id, role);
    return by === 'mail' && known ? {} : { link: await link($id, INVITATION_HOLDS, caller, isRenewed), isRenewed };
  }

  async function decide(caller: string, headers: Headers, asked: PeopleAction): Promise<PeopleOutcome> {
    await asOwner(caller);
    if (asked.action === 'invite') return invite(caller, clientOfCaller(target, headers), asked);
    const { userId } = asked;
    switch (asked.action) {
      case 'role':
        if (asked.role !== 'owner') await notLastOwner(userId);
        return changeRole(caller, userId, asked.role ?? undefined);
      case 'block':
        if (userId === caller) throw new DomainError('oneself');
        if (asked.isBlocked) await notLastOwner(userId);
        await block(target, userId, asked.isBlocked);
        if (asked.isBlocked && (await roleOf(userId)) === 'owner') await endInvitations(target);
        return {};
      case 'end-sessions':
        await endSessions(target, userId);
        return {};
      case 'link': {
        await notAnotherOwner(caller, userId);
        const member = await membershipOf(target, userId);
        // By handing over the link, the owner vouches for the address, so an open invitation counts as accepted.
        if (member && !member.hasJoined) await giveRole(target, userId, member.role);
        return { link: await link(userId, LINK_HOLDS, caller) };
      }
      case 'delete':
        if (userId === caller) throw new DomainError('oneself');
        await notLastOwner(userId);
        await giveRole(target, userId, undefined);
        // Blocks the user first, because a post written during the deletion would be lost or left without an author.
        await block(target, userId, true);
        return {};
    }
  }

  /** Changes or removes a role. A new role voids an open invitation, so this returns a link to send instead. */
  async function changeRole(caller: string, userId: string, role: SiteRole | undefined): Promise<PeopleOutcome> {
    const member = await membershipOf(target, userId);
    await giveRole(target, userId, role);
    return member && !member.hasJoined && role ? { link: await link(userId, INVITATION_HOLDS, caller) } : {};
  }

  async function remove(caller: string, userId: string, posts: 'delete' | 'hand-over'): Promise<void> {
    let slugs: readonly string[] = [];
    do {
      slugs = posts === 'hand-over' ? await handOverAll(backend, userId, caller) : [];
      if (slugs.length > 0) await published({ slugs, authors: [userId, caller] });
    } while (slugs.length > 0);
    await deleteUser(target, userId, (slugs) => published({ slugs, gone: slugs }));
  }

  return {
    roleOf,

    /** `userId` is undefined for a guest. */
    async state(userId: string | undefined): Promise<SiteState> {
      const [found, role] = await Promise.all([whoWrites(target), userId === undefined ? undefined : roleOf(userId)]);
      return {
        writers: found,
        isWritersFixed: writers !== undefined,
        role,
        mayWrite: userId !== undefined && (found === 'everyone' || role !== undefined),
      };
    },

    async list(caller: string, search: string, page: number): Promise<PeoplePage> {
      if (!isModerator(await roleOf(caller))) throw new DomainError('not-allowed');
      return listPeople(target, { search, page });
    },

    async memberNames(caller: string): Promise<Record<string, string>> {
      if (!isModerator(await roleOf(caller))) throw new DomainError('not-allowed');
      const joined = (await everyMember(target)).filter(({ hasJoined }) => hasJoined);
      return namesOf(
        target,
        joined.slice(0, MOST_MEMBERS).map(({ userId }) => userId),
      );
    },

    async storage(caller: string): Promise<Record<string, number>> {
      if (!isModerator(await roleOf(caller))) throw new DomainError('not-allowed');
      return storageByPerson(target);
    },

    async letWrite(caller: string, who: Writers): Promise<void> {
      await asOwner(caller);
      if (writers !== undefined) throw new DomainError('fixed');
      await letWrite(target, who);
    },

    async act(caller: string, headers: Headers, asked: PeopleAction): Promise<PeopleOutcome> {
      const outcome = await inTurn(() => decide(caller, headers, asked));
      // Runs outside `inTurn`, because the removal may take long and must not block other changes.
      if (asked.action === 'delete') await remove(caller, asked.userId, asked.posts);
      return outcome;
    },

    /** Moderates a published post or renames a tag. Treats a draft like a post that does not exist. */
    async moderate(userId: string, asked: Moderation): Promise<void> {
      if (!isModerator(await roleOf(userId))) throw new DomainError('not-allowed');
      if (asked.action === 'rename-tag') {
        return void (await published({ slugs: await renameTag(backend, asked.slug, asked.name) }));
      }
      const post = await postAt(backend, asked.slug);
      if (!post || !isShared(post)) throw new DomainError('not-found');
      switch (asked.action) {
        case 'take-back':
          await takeBack(backend, post);
          return void (await published({ slugs: [post.id], gone: [post.id] }));
        case 'delete':
          await deletePostOf(backend, post);
          return void (await published({ slugs: [post.id], gone: [post.id] }));
        case 'hand-over':
          if (!(await membershipOf(target, asked.userId))) throw new DomainError('not-found');
          await handOver(backend, post, asked.userId);
          return void (await published({ slugs: [post.id], authors: [post.userId, asked.userId] }));
      }
    },

    inTurn,

    /** Makes the user the site's owner. Returns false if the site has one already. Call it within `inTurn`. */
    async claim(userId: string): Promise<boolean> {
      if ((await ownersOf(target)).length > 0) return false;
      await giveRole(target, userId, 'owner');
      return true;
    },

    isPasswordOf: (userId: string, password: string) => isPasswordOf(target, userId, password),

    /** Sets the password of a caller who just signed in with a one-time link. Returns false for any other caller. */
    setPassword: (headers: Headers, password: string) => setPasswordAfterLink(target, headers, password),

    async deleteUser(userId: string, posts: 'delete' | 'hand-over'): Promise<void> {
      const heir = await inTurn(async () => {
        await notLastOwner(userId);
        const found = posts === 'hand-over' ? (await ownersOf(target)).find((owner) => owner !== userId) : undefined;
        if (posts === 'hand-over' && !found) throw new DomainError('not-found');
        await giveRole(target, userId, undefined);
        return found;
      });
      await setBlocked(target, userId, true);
      try {
        await remove(heir ?? userId, userId, posts);
      } catch (error) {
        // Unblocks the user, who otherwise could not sign in to try again.
        await setBlocked(target, userId, false).catch(() => undefined);
        throw error;
      }
    },

    /** Unblocks the account with this email address, makes it an owner and returns a sign-in link (`npm run owner`). */
    async makeOwner(email: string): Promise<string> {
      const user = await accountOf(target, email);
      const { $id, status } = user;
      const isRenewed = (await isUnproven(target, user)) && (await roleOf($id)) !== 'owner';
      if (isRenewed) await endAccess(target, $id);
      if (!status) await block(target, $id, false);
      await giveRole(target, $id, 'owner');
      return link($id, LINK_HOLDS, null, isRenewed);
    },

    /**
     * Decrypts a one-time link and returns the backend's secret in it.
     * @throws DomainError `not-found` if the link is invalid, if its maker is no longer an owner, or if its user is
     * blocked, has a newer link, or has changed role or password since
     */
    async openLink(userId: string, sealed: string): Promise<string> {
      const terms = unsealLink(target.apiKey, userId, sealed);
      if (!terms) throw new DomainError('not-found');
      const { status, passwordUpdate, labels } = await users.get({ userId });
      const holds =
        status &&
        labels.includes(terms.label) &&
        passwordUpdate === terms.passwordUpdate &&
        ((await roleOf(userId)) ?? null) === terms.role &&
        (terms.maker === null || (await ownersOf(target)).includes(terms.maker));
      if (!holds) throw new DomainError('not-found');
      return terms.secret;
    },

    sendsMail: recovery.sendsMail,
    sendRecovery: recovery.send,

    hasOwner: async (): Promise<boolean> => (await ownersOf(target)).length > 0,
  };
}
