import { createHash } from 'node:crypto';

/** Returns the hash by which the content security policy allows an inline script or style. */
export const cspHash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}` as const;
