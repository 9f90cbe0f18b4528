import { useMemo, useState } from 'react';
import { faultOf } from '#blog/errors.ts';
import { UNSENT_PICTURE } from '#blog/images.ts';
import { versionText } from '#blog/messages/versions.ts';
import { postValues } from '#blog/post.ts';
import { Button } from '#components/controls/Button.tsx';
import { Dialog, focusFirst } from '#components/controls/Dialog.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { fetchPreview } from '#stores/posts/preview.ts';
import { applyTheme, DeviceFrame, useDevice } from '../../device-frame.tsx';
import { TryAgain } from '../../lazy/lazy-part.tsx';
import { useLoaded } from '../../use-loaded.ts';
import { useObjectUrl } from '../editor/pictures/local-files.ts';
import type { FormHandle } from '../form-handle.ts';

export function PreviewDialog({ form, onClose }: { form: FormHandle; onClose: () => void }) {
  const [screen] = useState(() => form.onScreen());
  const { device, buttons } = useDevice(versionText);
  const { base } = form;
  const { featuredImage = '', title } = screen;
  const picture = useObjectUrl(featuredImage instanceof File ? featuredImage : undefined);
  const {
    value: html,
    error,
    retry,
  } = useLoaded((signal) => {
    const { status: _, ...fields } = postValues(screen);
    const existing = base && { slug: base.id, createdAt: base.createdAt };
    const shown = {
      title: title.trim(),
      featuredImage: featuredImage instanceof File ? UNSENT_PICTURE : featuredImage,
    };
    return fetchPreview({ ...fields, ...shown, ...(existing && { existing }) }, signal);
  });
  const page = useMemo(() => html && pageForFrame(html, picture), [html, picture]);

  return (
    <Dialog
      wide
      title={versionText.previewTitle}
      onClose={onClose}
      actions={
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: two buttons need no fieldset. */}
          <div role="group" aria-label={versionText.previewWidth} className="me-auto flex gap-2">
            {buttons}
          </div>
          <Button ref={focusFirst} onClick={onClose}>
            {versionText.close}
          </Button>
        </>
      }
    >
      {error !== undefined && <TryAgain fault={faultOf(error).message} onAgain={retry} />}
      {!page && error === undefined && <Spinner label={versionText.loading} />}
      {page && (
        <div className="@container h-(--preview-height) overflow-hidden [--preview-height:68dvh]">
          <DeviceFrame
            device={device}
            title={versionText.previewTitle}
            // Lets links open in new tabs.
            sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            srcDoc={page}
            className="border border-hairline"
            onPage={connectLinks}
          />
        </div>
      )}
    </Dialog>
  );
}

/** Prepares a page for the frame. `picture` is the object URL of a featured image that has not been uploaded yet. */
function pageForFrame(html: string, picture: string | undefined): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const script of page.querySelectorAll('script, link[rel=modulepreload]')) script.remove();
  applyTheme(page);
  for (const link of page.querySelectorAll('a[href]:not([href^="#"])')) link.setAttribute('target', '_blank');
  const image = page.querySelector(`img[data-fallback*="/files/${UNSENT_PICTURE}/"]`);
  if (picture) image?.setAttribute('src', picture);
  image?.removeAttribute('srcset');
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

/**
 * Scrolls to the targets of in-page links. Following such a link would leave the preview, because links in the frame
 * are relative to this page's URL.
 */
function connectLinks(page: Document): void {
  page.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    page.getElementById(decodeURIComponent(link.getAttribute('href')?.slice(1) ?? ''))?.scrollIntoView();
  });
}
