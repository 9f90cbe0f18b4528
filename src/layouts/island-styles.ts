/** The islands' styles come with them: guests do not carry them, and an island page has them in its head. */
import styles from '#styles/app.css?inline';

export function adoptStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
