import { beforeEach, expect, test } from 'vitest';
import { DomainError } from '#blog/errors.ts';
import type { PictureUpload, StoredPicture } from '#stores/pictures/media.ts';
import { UploadQueue } from './upload-queue.ts';

let sent: { name: string; signal: AbortSignal | undefined; succeed: () => void; fail: (error: Error) => void }[];
let refused: string[];
let queue: UploadQueue;

const upload = (file: File, { signal }: Omit<PictureUpload, 'userId'>) =>
  new Promise<StoredPicture>((resolve, reject) => {
    const picture = { id: file.name, src: `/stored/${file.name}`, width: 30, height: 20 };
    sent.push({ name: file.name, signal, succeed: () => resolve(picture), fail: reject });
  });
const files = (count: number) => Array.from({ length: count }, (_, index) => new File(['x'], `${index}.png`));
const names = () => sent.map(({ name }) => name);
const moment = () => new Promise((resolve) => setImmediate(resolve));
/** Adds pictures to the queue and to the text, then waits until their uploads have begun. */
const begun = async (count = 1) => {
  const addresses = await queue.take(files(count));
  queue.follow(new Set(addresses));
  await moment();
  return addresses as [string, ...string[]];
};

beforeEach(() => {
  sent = [];
  refused = [];
  const faultOf = async ({ name }: File) => (name.endsWith('.txt') ? 'Choose an image.' : undefined);
  queue = new UploadQueue({ upload, faultOf, refuse: (message) => refused.push(message) });
});

test('ten pictures at once are sent three at a time, in their order', async () => {
  const addresses = await queue.take(files(10));
  expect(sent).toEqual([]);
  queue.follow(new Set(addresses));
  await moment();
  expect(names()).toEqual(['0.png', '1.png', '2.png']);
  for (let done = 0; done < 10; done += 1) {
    sent[done]?.succeed();
    await moment();
  }
  expect(names()).toEqual(files(10).map(({ name }) => name));
  expect(await queue.settled()).toBe(0);
  expect(addresses.map((address) => queue.stageOf(address)?.name)).toEqual(Array(10).fill('stored'));
});

test('ten pictures at once leave out what is no picture, and say which', async () => {
  const addresses = await queue.take([...files(2), new File(['x'], 'notes.txt')]);
  expect(addresses).toHaveLength(2);
  expect(refused).toEqual(['notes.txt: Choose an image.']);
});

const REFUSED = new DomainError('no-picture', 'Too large');

test('a picture that failed says why, stands in the way of saving, and can be sent again, unless it would fail again', async () => {
  const [first, second] = await begun(3);
  sent[0]?.fail(new TypeError('Failed to fetch'));
  sent[1]?.fail(REFUSED);
  sent[2]?.succeed();
  expect(await queue.settled()).toBe(2);
  expect(queue.stageOf(first)).toMatchObject({ name: 'failed', final: false });
  expect(queue.stageOf(second ?? '')).toEqual({ name: 'failed', message: 'Too large', final: true });
  queue.retryFailed();
  await moment();
  expect(names().slice(3)).toEqual(['0.png']);
  sent[3]?.fail(new TypeError('Failed to fetch'));
  expect(await queue.settled()).toBe(2);
  queue.retry(first);
  await moment();
  sent[4]?.succeed();
  expect(await queue.settled()).toBe(1);
  expect(queue.stageOf(first)).toMatchObject({ picture: { src: '/stored/0.png' } });
});

test('a picture that is taken out of the text stops; brought back by an undo, it begins anew', async () => {
  const [address] = await begun();
  queue.follow(new Set());
  expect(sent[0]?.signal?.aborted).toBe(true);
  expect(await queue.settled()).toBe(0);
  queue.follow(new Set([address]));
  await moment();
  expect(sent[1]?.signal?.aborted).toBe(false);
  // Late results of the cancelled first attempt are ignored.
  sent[0]?.fail(new Error('late'));
  sent[1]?.succeed();
  expect(await queue.settled()).toBe(0);
  expect(queue.stageOf(address)?.name).toBe('stored');
});

test('a picture that is only in another program is said to be, and is not sent', async () => {
  queue.add('blob:https://there.example/1');
  expect(await queue.settled()).toBe(1);
  expect(sent).toEqual([]);
  expect(queue.stageOf('blob:https://there.example/1')).toMatchObject({ name: 'failed', final: true });
  queue.follow(new Set());
  expect(await queue.settled()).toBe(0);
});

const ADDRESS = 'https://there.example/a.png';
let fetched: (PromiseWithResolvers<File> & { signal: AbortSignal })[];
const fetchPicture = (signal: AbortSignal) => {
  const asked = { ...Promise.withResolvers<File>(), signal };
  fetched.push(asked);
  return asked.promise;
};
const begin = async () => {
  fetched = [];
  queue.copyRemote(ADDRESS, fetchPicture, 'Keep the link');
  await moment();
};

test('a picture of another site that cannot be fetched says why, stands in nobody’s way, and can be tried again', async () => {
  await begin();
  fetched[0]?.reject(new Error('Not copied'));
  expect(await queue.settled()).toBe(0);
  expect(queue.stageOf(ADDRESS)).toEqual({ name: 'failed', message: 'Not copied', final: false });
  queue.retry(ADDRESS);
  await moment();
  expect(fetched).toHaveLength(2);
});

test('a picture of another site can be left where it is while it is copied, and copied later all the same', async () => {
  await begin();
  queue.leave(ADDRESS);
  expect(fetched[0]?.signal.aborted).toBe(true);
  expect(queue.stageOf(ADDRESS)).toBeUndefined();
  fetched[0]?.resolve(new File(['x'], 'late.png'));
  await moment();
  expect(queue.stageOf(ADDRESS)).toBeUndefined();
  await begin();
  expect(queue.stageOf(ADDRESS)?.name).toBe('preparing');
});
