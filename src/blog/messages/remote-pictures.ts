import de from './de/remote-pictures.json' with { type: 'json' };
import { textsOf } from './language.ts';

export const en = {
  label: 'Pictures from other sites',
  fromElsewhere: {
    one: 'This picture is on another site ({hosts}). It may change or disappear, and that site sees who reads the post.',
    other:
      '{count} pictures are on other sites ({hosts}). They may change or disappear, and those sites see who reads the post.',
  },
  /** Warns about pictures whose URL begins with `http:`. */
  unsafe: {
    one: 'One address starts with http:, but pages use https. If its site doesn’t support that, readers see only the description.',
    other:
      '{count} addresses start with http:, but pages use https. If a site doesn’t support that, readers see only the description.',
  },
  copy: { one: 'Copy it into the blog', other: 'Copy them into the blog' },
  keepThere: { one: 'Keep the link', other: 'Keep the links' },
  removeAll: { one: 'Remove it', other: 'Remove them' },
  notCopied: 'Not copied, so the link stays: {reason}',
  noServer: 'this site can’t copy pictures.',
  /** Reasons for `notCopied`, keyed by the HTTP status of this site's response. */
  reasons: {
    400: 'a picture cannot be fetched from its address.',
    401: 'you are signed out. Sign in again, then retry.',
    413: 'it is larger than 10 MB.',
    415: 'it isn’t a PNG, JPG, GIF, WebP or AVIF picture.',
    422: 'it’s on a private network.',
    429: 'you have copied many pictures in a short time. Wait a minute, then retry.',
    502: 'its site doesn’t provide it.',
    503: 'the blog’s server is busy. Retry shortly.',
    504: 'its site took too long.',
  },
} as const;

export const remotePictureText = textsOf(en, de);
