/** The mail that a member's invitation is, and the way out that the service is given for it. */
import type { Store } from '../sqlite/store.ts';

export interface InvitationMail {
  readonly to: { readonly address: string; readonly name: string };
  /** The inviter's page, with what it needs to accept. */
  readonly link: string;
  readonly teamName: string;
  /** What the inviter's `X-Appwrite-Locale` says. */
  readonly locale: string | undefined;
}

/** Where mails wait to be sent. */
export interface InvitationOutbox {
  /** Runs `work` in one write; what it enqueues is sent once that is on disk. */
  write<T>(work: (enqueue: (mail: InvitationMail) => void) => T): Promise<T>;
}

/** An outbox that keeps nothing: mails are handed over once what caused them is on disk. */
export function directOutbox(store: Store, send: (mail: InvitationMail) => void): InvitationOutbox {
  return {
    async write(work) {
      const mails: InvitationMail[] = [];
      const done = await store.write(() => {
        mails.length = 0;
        return work((mail) => mails.push(mail));
      });
      mails.forEach(send);
      return done;
    },
  };
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
