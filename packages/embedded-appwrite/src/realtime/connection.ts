/** Handles one client's socket (contract 2.6): responds to its frames strictly in order and sends events to it. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { accountJson } from '../account/user.ts';
import { AppwriteError } from '../http/errors.ts';
import { holds } from '../permissions.ts';
import { type ClientFrame, readFrame, type SubscribeItem } from './frames.ts';
import { GUEST_ROLES, type Identity } from './identity.ts';
import type { Outbox, Recipient, SharedPart } from './outbox.ts';
import type { Listener, Subscribed, Subscription, Subscriptions } from './subscriptions.ts';

/** Maximum client messages per minute on one connection (contract 1.8). */
const MESSAGES = 32;
const MINUTE = 60_000;
/** Maximum unsent bytes for a slow client before its connection is dropped. */
const BACKLOG = 4 * 1024 * 1024;

/** Close code for a user who was signed out. Clients reconnect after it. */
const SIGNED_OUT = 4401;

export const errorFrame = (code: number, message: string): string =>
  JSON.stringify({ type: 'error', data: { code, message } });

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly outbox: Outbox;
  readonly identity: Identity;
  readonly subscriptions: Subscriptions;
  readonly limited: boolean;
  readonly signIn: (session: string) => Identity | undefined;
  readonly onError: (error: unknown) => void;
}

export class Connection implements Listener, Recipient {
  readonly subscriptions = new Map<string, Subscription>();
  readonly #options: ConnectionOptions;
  #identity: Identity;
  #minute = 0;
  #messages = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#identity = options.identity;
  }

  get userId(): string | undefined {
    return this.#identity.userId;
  }

  mayReceive(roles: readonly string[]): boolean {
    if (this.userId === undefined) return roles.some((role) => GUEST_ROLES.includes(role));
    const person = this.#identity.person();
    if (!person) {
      this.#signedOut();
      return false;
    }
    return roles.length > person.roles.length
      ? person.roles.some((role) => holds(roles, role))
      : roles.some((role) => holds(person.roles, role));
  }

  checkSession(): void {
    if (this.userId !== undefined && !this.#identity.person()) this.#signedOut();
  }

  account(): Record<string, unknown> | null {
    const person = this.#identity.person();
    return person ? accountJson(person.user) : null;
  }

  get stream(): Duplex {
    return this.#options.stream;
  }

  drop(): void {
    this.#options.socket.terminate();
  }

  send(text: string): void {
    this.sendShared(this.#options.outbox.share(text));
  }

  sendShared(begin: SharedPart, end?: string): void {
    const { socket, outbox } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > BACKLOG) socket.terminate();
    else outbox.send(this, begin, end);
  }

  /** Adds all subscriptions or none. Throws like `Subscriptions.subscribe`. */
  subscribe(items: readonly SubscribeItem[]): Subscribed[] {
    return this.#options.subscriptions.subscribe(this, items);
  }

  receive(data: Buffer, isBinary: boolean): void {
    try {
      this.#count();
      if (isBinary) throw new AppwriteError('realtime_message_format_invalid');
      this.#answer(readFrame(data.toString('utf8')));
    } catch (error) {
      const isKnown = error instanceof AppwriteError;
      if (!isKnown) this.#options.onError(error);
      const known = isKnown ? error : new AppwriteError('realtime_message_format_invalid', 'Server Error');
      this.send(errorFrame(known.code, known.message));
    }
  }

  #count(): void {
    if (!this.#options.limited) return;
    const minute = Math.floor(Date.now() / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#messages = 0;
    }
    if (++this.#messages > MESSAGES) throw new AppwriteError('realtime_too_many_messages');
  }

  #answer(frame: ClientFrame): void {
    const { subscriptions } = this.#options;
    switch (frame.type) {
      case 'ping':
        this.send('{"type":"pong"}');
        return;
      case 'authentication':
        this.#authenticate(frame.session);
        return;
      case 'subscribe':
        this.#respond(frame.type, { subscriptions: this.subscribe(frame.items) });
        return;
      case 'unsubscribe':
        this.#respond(frame.type, {
          subscriptions: frame.subscriptionIds.map((subscriptionId) => ({
            subscriptionId,
            removed: subscriptions.unsubscribe(this, subscriptionId),
          })),
        });
    }
  }

  #authenticate(session: string): void {
    const identity = this.#options.signIn(session);
    if (!identity) throw new AppwriteError('realtime_message_format_invalid', 'Session is not valid.');
    this.#identity = identity;
    this.#options.subscriptions.rebind(this);
    this.#respond('authentication', { user: this.account() });
  }

  #respond(to: string, answer: Record<string, unknown>): void {
    this.send(JSON.stringify({ type: 'response', data: { to, success: true, ...answer } }));
  }

  #signedOut(): void {
    this.#options.socket.close(SIGNED_OUT, 'The session has ended.');
  }
}
