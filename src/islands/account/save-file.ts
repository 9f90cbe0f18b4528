/** Saves a file on the visitor's device, as a download. */

/** How long a browser has to begin a download before its address is given up, milliseconds. */
const DOWNLOAD_BEGINS_MS = 60_000;

/** Asks the browser to save `file` under `name`. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_BEGINS_MS);
}
