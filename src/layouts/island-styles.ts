/** The islands' styles, loaded with them on public pages; an island page has them in its head. */
import styles from '#styles/app.css?inline';

export function adoptStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
