import { readFile } from 'node:fs/promises';
import { HtmlValidate } from 'html-validate';
import { validateXML } from 'xmllint-wasm';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y', 'html-validate:browser'],
  rules: {
    // The content security policy allows only the site's own scripts, which need no checksum.
    'require-sri': ['error', { target: 'crossorigin' }],
    // The HTML of a page with an island is incomplete until its script runs. axe checks the headings of complete pages.
    'heading-level': 'off',
  },
});

/** Returns one line per error, with its place, rule and message. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, line, column, selector }) => `${line}:${column} ${ruleId}: ${message} ${selector ?? ''}`);
}

export async function schemaFaults(xml: string, name: 'atom' | 'rss' | 'sitemap'): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: `${name}.xml`, contents: xml }],
    schema: [await readFile(new URL(`./schemas/${name}.rng`, import.meta.url), 'utf8')],
    extension: 'relaxng',
  });
  return errors.map(({ rawMessage }) => rawMessage);
}
