/** Reads the parts of delivery status notifications (RFC 3464) that bounce handling needs. */

const STATUS_TYPE = /^message\/(?:global-)?delivery-status\b/i;

/**
 * Returns the addresses to which a notification was sent, and whether a delivery failed permanently (`Action: failed`
 * with a status of class 5). Returns undefined for any other email. `mail` may be cut off at the end.
 */
export function readDeliveryStatus(mail: string) {
  const text = mail.replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const [type = ''] = valuesOf(head, 'content-type');
  const boundary = /\bboundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  if (!boundary || !/^multipart\/report\b/i.test(type) || !/\breport-type\s*=\s*"?delivery-status\b/i.test(type)) {
    return undefined;
  }
  const status = text
    .slice(end)
    .split(`\n--${boundary[1] ?? boundary[2]}`)
    .map((part) => part.slice(part.indexOf('\n') + 1).split(/\n\n+/))
    .find(([partHead = '']) => STATUS_TYPE.test(valuesOf(partHead, 'content-type')[0] ?? ''));
  if (!status) return undefined;
  return {
    recipients: valuesOf(head, 'delivered-to', 'x-original-to', 'envelope-to', 'to')
      .flatMap((value) => value.split(/[\s<>,;:"()]+/))
      .filter((word) => word.includes('@')),
    isHardFailure: status.slice(1).some(isHardFailure),
  };
}

const isHardFailure = (fields: string): boolean =>
  /^failed\b/i.test(valuesOf(fields, 'action')[0] ?? '') && /^5\.\d/.test(valuesOf(fields, 'status')[0] ?? '');

/** Returns the values of the header fields with these lower-case names, unfolded. */
function valuesOf(fields: string, ...names: string[]): string[] {
  return fields
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', value = ''] = /^([\w-]+)[ \t]*:(.*)/.exec(line) ?? [];
      return names.includes(name.toLowerCase()) ? [value.trim()] : [];
    });
}
