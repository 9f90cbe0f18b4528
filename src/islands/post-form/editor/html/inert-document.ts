import { preserveAttributes } from './preserved-attributes.ts';

/** Parses a whole page. */
export const inertPage = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** Parses a text: elements that belong in a page's head stay in place. */
export const inertBody = (html: string): HTMLElement => inertPage(`<body>${html}`);

/** Parses stored HTML that `htmlIn` will serialize. */
export const inertContent = (html: string): HTMLElement => inertBody(preserveAttributes(html));
