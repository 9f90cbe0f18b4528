/** What the HTML standard has against a page. */
import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y', 'html-validate:browser'],
  rules: {
    // The page's own files need no checksum: its policy allows no others.
    'require-sri': ['error', { target: 'crossorigin' }],
    // Advice, not the standard; axe judges headings of the finished page, which an island's shell is not.
    'heading-level': 'off',
  },
});

/** One line a fault: the rule, what is wrong, where. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, line, column, selector }) => `${line}:${column} ${ruleId}: ${message} ${selector ?? ''}`);
}
