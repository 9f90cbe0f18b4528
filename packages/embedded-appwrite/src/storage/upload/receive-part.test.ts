import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { receivePart } from './receive-part.ts';

it('rejects with an error that comes before anything is read', async () => {
  const source = new PassThrough();
  const received = receivePart(source, '/nowhere', 'a');
  source.emit('error', new Error('broke off'));
  await expect(received).rejects.toThrow('broke off');
});
