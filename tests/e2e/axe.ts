import axe from 'axe-core';
import type { Page } from 'playwright/test';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The rules that a theme alone can break. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Loads axe into the page, once per page: loading takes as long as judging. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

/** Returns a line for each broken rule, of all rules or of those named. */
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
