import { useEffect, useState } from 'react';

const files = new Map<string, File>();

/** Returns the file of an object URL made by `localAddress` in this page; undefined for any other URL. */
export const localFile = (address: string): File | undefined => files.get(address);

export function localAddress(file: File): string {
  const address = URL.createObjectURL(file);
  files.set(address, file);
  return address;
}

/** Returns an object URL of the file. The URL is revoked when the file changes or the component is removed. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
