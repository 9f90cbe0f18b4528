/** The files behind the object URLs of pictures that are not uploaded yet. */

const files = new Map<string, File>();

/** The file of an object URL; undefined for one of another page or a revoked one. */
export const localFile = (address: string): File | undefined => files.get(address);

export function localAddress(file: File): string {
  const address = URL.createObjectURL(file);
  files.set(address, file);
  return address;
}
