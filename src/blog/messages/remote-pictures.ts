/**
 * What the writer is asked and told about pictures of other sites, in every language. Apart from the other catalogues,
 * because it is loaded only when a paste has brought one.
 */

import { inLanguage, type Translation } from './lazy-messages.ts';

const en = {
  label: 'Pictures from other sites',
  fromElsewhere: (pictures: number, hosts: string) =>
    pictures === 1
      ? `This picture lies on another site (${hosts}). It may change or go there, and that site sees who reads the post.`
      : `${pictures} pictures lie on other sites (${hosts}). They may change or go there, and those sites see who reads the post.`,
  /** Of pictures whose address begins with `http:`. */
  unsafe: (pictures: number) =>
    pictures === 1
      ? 'Its address has no https, by which pages ask for it: where its site knows none, readers see its description alone.'
      : `The addresses of ${pictures} have no https, by which pages ask for them: where their sites know none, readers see their descriptions alone.`,
  copy: (pictures: number) => (pictures === 1 ? 'Copy it into the blog' : 'Copy them into the blog'),
  keepThere: (pictures: number) => (pictures === 1 ? 'Keep the link' : 'Keep the links'),
  removeAll: (pictures: number) => (pictures === 1 ? 'Remove it' : 'Remove them'),
  notCopied: (reason: string) => `Not copied, so the link stays: ${reason}`,
  noServer: 'this blog has no server here that copies pictures.',
  /** By the status with which the site's server answers. */
  reasons: {
    400: 'a picture cannot be fetched from its address.',
    401: 'you are signed out. Sign in again, then retry.',
    413: 'it is larger than 10 MB.',
    415: 'what is there is not a PNG, JPG, GIF, WebP or AVIF picture.',
    422: 'it lies in a network that is not public.',
    429: 'you have copied many pictures in a short time. Wait a minute, then retry.',
    502: 'its site does not give it.',
    503: 'the blog’s server is busy. Retry shortly.',
    504: 'its site took too long.',
  },
} as const;

const de: Translation<typeof en> = {
  label: 'Bilder von anderen Websites',
  fromElsewhere: (pictures: number, hosts: string) =>
    pictures === 1
      ? `Dieses Bild liegt auf einer anderen Website (${hosts}). Es kann sich dort ändern oder verschwinden, und sie sieht, wer den Beitrag liest.`
      : `${pictures} Bilder liegen auf anderen Websites (${hosts}). Sie können sich dort ändern oder verschwinden, und jene sehen, wer den Beitrag liest.`,
  unsafe: (pictures: number) =>
    pictures === 1
      ? 'Seine Adresse ist ohne https, womit Seiten es anfordern: Kennt seine Website das nicht, sehen Leser nur die Beschreibung.'
      : `Die Adressen von ${pictures} Bildern sind ohne https, womit Seiten sie anfordern: Kennen ihre Websites das nicht, sehen Leser nur die Beschreibungen.`,
  copy: () => 'In den Blog kopieren',
  keepThere: (pictures: number) => (pictures === 1 ? 'Verweis behalten' : 'Verweise behalten'),
  removeAll: () => 'Entfernen',
  notCopied: (reason: string) => `Nicht kopiert, der Verweis bleibt: ${reason}`,
  noServer: 'Hier kopiert kein Server dieses Blogs Bilder.',
  reasons: {
    400: 'Von dieser Adresse kann kein Bild geholt werden.',
    401: 'Die Anmeldung ist beendet. Neu anmelden, dann erneut versuchen.',
    413: 'Es ist größer als 10 MB.',
    415: 'Was dort liegt, ist kein Bild in PNG, JPG, GIF, WebP oder AVIF.',
    422: 'Es liegt in einem Netz, das nicht öffentlich ist.',
    429: 'In kurzer Zeit wurden viele Bilder kopiert. Eine Minute warten, dann erneut versuchen.',
    502: 'Seine Website gibt es nicht her.',
    503: 'Der Server des Blogs ist beschäftigt. Bitte gleich noch einmal versuchen.',
    504: 'Seine Website hat zu lange gebraucht.',
  },
};

export const remotePictureText = inLanguage(en, de);
