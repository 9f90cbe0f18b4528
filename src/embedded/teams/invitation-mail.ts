/** The mail that a member's invitation is. */

export interface InvitationMail {
  readonly to: { readonly address: string; readonly name: string };
  /** The inviter's page, with what it needs to accept. */
  readonly link: string;
  readonly teamName: string;
  /** What the inviter's `X-Appwrite-Locale` says. */
  readonly locale: string | undefined;
}

export interface InvitationLink {
  readonly membershipId: string;
  readonly userId: string;
  readonly secret: string;
  readonly teamId: string;
  readonly teamName: string;
}

/** Puts the parameters after the address's own query and before its fragment. */
export function invitationLink(url: string, parameters: InvitationLink): string {
  const mark = url.indexOf('#');
  const [address, fragment] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ ...parameters })}${fragment}`;
}
