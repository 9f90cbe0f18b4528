/** Loads the islands' styles on public pages; island pages have them in their head. */
import styles from '#styles/app.css?inline';

export function adoptStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
