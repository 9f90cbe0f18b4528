/** What the round-trip tests run inside Chromium. */
import { contentOf, makeEditor } from '../../src/islands/post-form/editor/create.ts';
import { signature } from '../../src/islands/post-form/editor/signature.ts';
import { inertBody } from '../../src/islands/post-form/editor/stored.ts';

export interface RoundTrip {
  readonly out: string;
  /** The document of `out`, written again. */
  readonly again: string;
  /** Same document, apart from how it is written. */
  readonly same: boolean;
  /** Sources kept as opaque blocks. */
  readonly opaque: string[];
}

async function edit(html: string): Promise<{ out: string; opaque: string[] }> {
  const root = document.createElement('div');
  document.body.append(root);
  const editor = await makeEditor({ root, html }).create();
  const out = editor.action(contentOf);
  const opaque = [...root.querySelectorAll<HTMLElement>('[data-opaque]')].map(({ dataset }) => dataset.opaque ?? '');
  await editor.destroy();
  root.remove();
  return { out, opaque };
}

Object.assign(window, {
  async roundTrip(html: string): Promise<RoundTrip> {
    const { out, opaque } = await edit(html);
    const { out: again } = await edit(out);
    return { out, again, opaque, same: signature(inertBody(html)) === signature(inertBody(out)) };
  },
});
