/** Files behind the addresses under which pictures stand in the text until they are uploaded: of this page alone. */

const files = new Map<string, File>();

/** Undefined for an address of another page, or of one that is gone. */
export const localFile = (address: string): File | undefined => files.get(address);

/** An address under which `file` can stand in the text. */
export function localAddress(file: File): string {
  const address = URL.createObjectURL(file);
  files.set(address, file);
  return address;
}
