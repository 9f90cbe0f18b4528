/** Adds parameters to the caller's URL (contract, part 2, 1), after its own query and before its fragment. */
export function mailLink(url: string, parameters: Readonly<Record<string, string>>): string {
  const mark = url.indexOf('#');
  const [address, fragment] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}${fragment}`;
}
