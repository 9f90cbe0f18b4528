/** What axe finds on a page, without loading it again for each look. */
import axe from 'axe-core';
import type { Page } from 'playwright/test';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The rules that a theme alone can break. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Once for each page that is opened: it takes as long as judging a page. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

/** A line for each rule that is broken; of all rules, or of those named. */
export function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async (named) => {
      const { violations } = await window.axe.run(document, {
        resultTypes: ['violations'],
        ...(named && { runOnly: { type: 'rule', values: [...named] } }),
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
    },
    rules && [...rules],
  );
}
