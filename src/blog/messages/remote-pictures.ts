import de from './de/remote-pictures.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  label: 'Pictures from other sites',
  fromElsewhere: {
    one: 'This picture lies on another site ({hosts}). It may change or go there, and that site sees who reads the post.',
    other:
      '{count} pictures lie on other sites ({hosts}). They may change or go there, and those sites see who reads the post.',
  },
  /** Warns about pictures whose URL begins with `http:`. */
  unsafe: {
    one: 'Its address has no https, by which pages ask for it: where its site knows none, readers see its description alone.',
    other:
      'The addresses of {count} have no https, by which pages ask for them: where their sites know none, readers see their descriptions alone.',
  },
  copy: { one: 'Copy it into the blog', other: 'Copy them into the blog' },
  keepThere: { one: 'Keep the link', other: 'Keep the links' },
  removeAll: { one: 'Remove it', other: 'Remove them' },
  notCopied: 'Not copied, so the link stays: {reason}',
  noServer: 'this blog has no server here that copies pictures.',
  /** Reasons for `notCopied`, keyed by the HTTP status of this site's response. */
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

export const remotePictureText = textsOf(en, de);
