import { AppwriteException, Databases, ID, Storage } from 'node-appwrite';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { openSchedule, type Schedule } from '#backend/schedule/schedule.ts';
import { filePermissions, postPermissions } from '#blog/permissions.ts';
import { momentsOf } from '#blog/schedule/zoned-time.ts';
import { ARTICLES, contentOf, showing } from '../../../tests/support/content.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import { ZONES } from '../../../tests/support/zones.ts';
import { keepSchedule } from './schedule.ts';

const HOUR = 3600_000;
/** Sets the tests' clock to the current time. Returns a time an hour later, as an ISO string and in milliseconds. */
function soon() {
  clock = Date.now();
  const at = Math.ceil(clock / 1000) * 1000 + HOUR;
  return { publishAt: new Date(at).toISOString(), at };
}

const site = await sharedSite();
const content = contentOf(site);
/** Status changes of posts, each with its time on the tests' clock. */
let turned: { id: string; status: string; at: number }[] = [];
let clock = 0;
const status = new Map<string, string>();
const logged: string[] = [];
beforeAll(async () => {
  await content.users.create({ userId: 'ann', email: 'ann@example.com', password: 'Secret-1!' });
  site.listen(({ events, payload }) => {
    if (!events[0]?.includes('.collections.articles.documents.')) return;
    const { $id: id, status: now } = payload as unknown as { $id: string; status: string };
    if (events[0].endsWith('.update') && status.get(id) !== now) turned.push({ id, status: now, at: clock });
    status.set(id, now);
  });
});
afterEach(() => {
  turned = [];
  logged.length = 0;
});

const read = (documentId: string) => content.databases.getDocument({ ...ARTICLES, documentId });
const edit = (documentId: string, data: object) => content.databases.updateDocument({ ...ARTICLES, documentId, data });
const isPublic = async (fileId: string) =>
  (await content.storage.getFile({ bucketId: 'media', fileId })).$permissions.includes('read("any")');

/** Starts a scheduler. `looked` makes it query the backend and resolves once a query finds no due post. */
function instance(wrap: (schedule: Schedule) => Schedule = (schedule) => schedule) {
  const waiting: (() => void)[] = [];
  const schedule = wrap(openSchedule(site.target));
  const told: string[] = [];
  const scheduler = keepSchedule({
    schedule: {
      ...schedule,
      async upcoming(now) {
        const asked = waiting.splice(0);
        try {
          const found = await schedule.upcoming(now);
          if (found.due.length === 0) for (const resolve of asked.splice(0)) resolve();
          return found;
        } finally {
          waiting.push(...asked);
          if (asked.length > 0) scheduler.look();
        }
      },
    },
    published: async (slug) => void told.push(slug),
    log: (_level, message) => void logged.push(message),
    now: () => clock,
    tickMs: 2,
  });
  onTestFinished(() => scheduler.stop());
  const looked = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    scheduler.look();
    await promise;
  };
  return { scheduler, looked, told };
}

it('publishes a year of posts in ten zones by two instances, each once and none early', async () => {
  const walls = ['2027-02-', '2027-06-', '2027-08-', '2027-12-'];
  const hours = ZONES.flatMap((zone) => {
    const texts = [...walls.map((month) => `${month}14T09:00`), '2027-03-28T02:30', '2027-03-14T02:30'];
    return [...texts, '2027-10-31T02:30', '2027-11-07T01:30', '2027-04-04T01:45'].flatMap(
      (text) => momentsOf(text, zone)?.moments ?? [],
    );
  });
  clock = Date.parse('2027-01-01T00:00:00Z');
  // Sets the date too, because the scheduler ignores times that had already passed when they were set.
  vi.useFakeTimers({ toFake: ['Date'], now: clock });
  onTestFinished(() => void vi.useRealTimers());
  const planned = new Map<string, number>();
  for (const at of hours) {
    const id = ID.unique();
    planned.set(id, at);
    await content.post(id, { publishAt: new Date(at).toISOString() });
  }
  const [one, other] = [instance(), instance()];
  for (const at of [...new Set(hours)].sort((a, b) => a - b)) {
    clock = at - 1;
    await Promise.all([one.looked(), other.looked()]);
    expect(turned.filter(({ id }) => (planned.get(id) ?? 0) > clock)).toEqual([]);
    clock = at;
    await Promise.all([one.looked(), other.looked()]);
  }
  const published = [...planned].map(([id, at]) => `${id} active ${at}`);
  expect(turned.map(({ id, status: now, at }) => `${id} ${now} ${at}`).sort()).toEqual(published.sort());
  const [[id = '', at = 0] = []] = planned;
  const document = await read(id);
  expect([document.publishAt, Date.parse(document.$createdAt)]).toEqual([null, at]);
  expect(document.$permissions.sort()).toEqual(postPermissions('active', 'ann').sort());
});

it('shows and hides the author’s own pictures with the post', async () => {
  await content.upload('mine');
  await content.upload('theirs', 'inactive', filePermissions('inactive', 'bob'));
  const { publishAt, at } = soon();
  const unpublishAt = new Date(at + HOUR).toISOString();
  await content.post('pictures', { publishAt, unpublishAt, featuredImage: 'mine', content: showing('theirs') });
  const { looked } = instance();
  await looked();
  expect(await isPublic('mine')).toBe(false);
  clock = at;
  await looked();
  const shown = [(await read('pictures')).status, await isPublic('mine'), await isPublic('theirs')];
  expect(shown).toEqual(['active', true, false]);
  clock = at + HOUR;
  await looked();
  const document = await read('pictures');
  expect([document.status, document.unpublishAt, await isPublic('mine')]).toEqual(['inactive', null, false]);
  expect(document.$permissions.sort()).toEqual(postPermissions('inactive', 'ann').sort());
});

it('unpublishes a post and its pictures although the storage fails or a response is lost', async () => {
  const failures = {
    'storage-fails': () =>
      vi.spyOn(Storage.prototype, 'updateFile').mockRejectedValueOnce(new AppwriteException('Broken.', 500)),
    'answer-lost': () => {
      const real = Databases.prototype.updateDocument;
      return vi.spyOn(Databases.prototype, 'updateDocument').mockImplementationOnce(async function (
        this: Databases,
        ...given
      ) {
        await real.apply(this, given);
        throw new TypeError('fetch failed');
      });
    },
  };
  for (const [id, fail] of Object.entries(failures)) {
    const { publishAt: unpublishAt, at } = soon();
    await content.upload(id, 'active');
    await content.post(id, { unpublishAt, featuredImage: id, status: 'active' });
    const { scheduler, looked, told } = instance();
    await looked();
    const failing = fail();
    clock = at;
    await expect.poll(() => isPublic(id)).toBe(false);
    await scheduler.stop();
    expect(failing).toHaveBeenCalled();
    failing.mockRestore();
    expect([(await read(id)).status, new Set(told)]).toEqual(['inactive', new Set([id])]);
  }
});

it('respects an hour cleared meanwhile, and overwrites no newer text', async () => {
  const { publishAt, at } = soon();
  await content.post('cleared', { publishAt });
  await content.post('edited', { publishAt });
  const { looked } = instance((schedule) => ({
    ...schedule,
    async keep(appointment) {
      const { id: documentId } = appointment;
      if (documentId === 'cleared') await edit(documentId, { publishAt: null });
      // This write often lands between the scheduler's read and write of the post.
      const newer = edit(documentId, { content: '<p>newer</p>' });
      const outcome = await schedule.keep(appointment);
      await newer;
      return outcome;
    },
  }));
  clock = at;
  await looked();
  expect((await read('cleared')).status).toBe('inactive');
  const edited = await read('edited');
  expect([edited.status, edited.content]).toEqual(['active', '<p>newer</p>']);
});

it('publishes late posts when the backend is back, and logs the delay', async () => {
  const { publishAt, at } = soon();
  await content.post('away', { publishAt });
  let isAway = true;
  const attempt = <T>(work: () => Promise<T>) => (isAway ? Promise.reject(new TypeError('fetch failed')) : work());
  clock = at + 90_000;
  const { looked } = instance((schedule) => ({
    ...schedule,
    upcoming: (now) => attempt(() => schedule.upcoming(now)),
    keep: (appointment) => attempt(() => schedule.keep(appointment)),
  }));
  await expect.poll(() => logged).toContainEqual(expect.stringContaining('could not be published'));
  isAway = false;
  await looked();
  expect((await read('away')).status).toBe('active');
  expect(logged).toContainEqual(expect.stringContaining('away was published 90 seconds late'));
});

it('publishes no forged post, no blocked author’s post and none whose hour had passed when it was set', async () => {
  const { publishAt, at } = soon();
  await content.users.create({ userId: 'eve', email: 'eve@example.com', password: 'Secret-1!' });
  await content.users.updateStatus({ userId: 'eve', status: false });
  await content.post('forged', { publishAt, permissions: postPermissions('inactive', 'eve') });
  await content.post('blocked', { publishAt, userId: 'eve' });
  await content.post('passed', { publishAt: new Date(Date.now() - HOUR).toISOString() });
  clock = at;
  const { scheduler, told } = instance();
  await content.post('good', { publishAt });
  scheduler.look();
  await expect.poll(async () => (await read('good')).status).toBe('active');
  await scheduler.stop();
  for (const id of ['forged', 'blocked', 'passed']) expect([id, (await read(id)).status]).toEqual([id, 'inactive']);
  expect(told).toEqual(['good']);
});
