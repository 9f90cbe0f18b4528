/** A reader thread: answers what it holds a copy of, and passes everything else on to the site. */
import { createServer } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { type ConnectionLimits, limitConnections, SERVER_OPTIONS } from '#embedded/http/connections.ts';
import { Copies } from '#publishing/lending/copies.ts';
import type { Answer, Question } from '#publishing/lending/lender.ts';
import { Stamps } from '#publishing/store/stamps.ts';
import { openLane } from '../lane.ts';
import { createPassOn } from './pass-on.ts';

export interface ThreadOptions {
  readonly host: string;
  readonly port: number;
  readonly stamps: SharedArrayBuffer;
  /** Where the site listens. */
  readonly socketPath: string;
  readonly memoryBytes: number;
  readonly limits: ConnectionLimits;
}

export type ToThread = Answer | { readonly kind: 'end' };
export type FromThread = Question | { readonly kind: 'listening' };

/** Milliseconds between two reports of how often copies were shown. */
const REPORTS = 1000;
/** Milliseconds that requests under way get at the end. */
const GRACE = 5000;

export function runThread(options: ThreadOptions, site: MessagePort): void {
  const tell = (message: FromThread) => site.postMessage(message);
  const copies = new Copies({
    stamps: new Stamps(options.stamps),
    memoryBytes: options.memoryBytes,
    ask: (path, encoding) => tell({ kind: 'ask', path, encoding }),
  });
  const { handle, upgrade, close } = createPassOn(options.socketPath, (...answer) => copies.passed(...answer));
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (!copies.serve(request, response)) handle(request, response);
  });
  const lane = openLane(server, copies);
  limitConnections(server, options.limits);
  server.on('upgrade', upgrade);

  const report = () => {
    const counts = copies.takeCounts();
    if (counts.length > 0) tell({ kind: 'shown', counts });
  };
  const reports = setInterval(report, REPORTS).unref();
  const end = () => {
    clearInterval(reports);
    const impatience = setTimeout(() => {
      server.closeAllConnections();
      lane.closeAll();
    }, GRACE).unref();
    server.close(() => {
      clearTimeout(impatience);
      report();
      close();
      site.close();
    });
    lane.close();
    server.closeIdleConnections();
  };
  site.on('message', (message: ToThread) => {
    if (message.kind === 'end') end();
    else copies.take(message.path, message.encoding, message.loan);
  });
  // Each thread has a queue of its own at the same port; the system spreads connections over them.
  server.listen({ host: options.host, port: options.port, reusePort: true }, () => tell({ kind: 'listening' }));
}
