/** The files behind object URLs of pictures that are not uploaded yet. */

const files = new Map<string, File>();

/** Returns the file of an object URL; undefined for a revoked one or one of another page. */
export const localFile = (address: string): File | undefined => files.get(address);

export function localAddress(file: File): string {
  const address = URL.createObjectURL(file);
  files.set(address, file);
  return address;
}
