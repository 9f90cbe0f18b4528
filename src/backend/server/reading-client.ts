/** The SDK's client for reading posts on the server. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { AppwriteException, Client } from 'node-appwrite';

type Call = Client['call'];
/** The body of the backend's error answers. */
interface Fault {
  readonly message?: string;
  readonly type?: string;
}
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Asks as the SDK does and has the engine read the answer. The SDK's own reader goes letter by letter, since numbers may be
 * beyond 2^53, which posts hold none of: a text of a million letters took 14 to 30 ms of the thread that answers readers, and
 * as much for its garbage; the engine takes 0 to 4 (decision 004).
 */
export class ReadingClient extends Client {
  readonly #portNow: () => number | undefined;

  /** @param portNow the port of 127.0.0.1 where the endpoint answers while its own is closed */
  constructor(portNow: () => number | undefined = () => undefined) {
    super();
    this.#portNow = portNow;
  }

  override async call(...[method, url, headers, params]: Parameters<Call>): ReturnType<Call> {
    const { uri, options } = this.prepareRequest(method, url, headers, params);
    const port = this.#portNow();
    const isHere = port !== undefined || (url.protocol === 'http:' && url.hostname === '127.0.0.1');
    const isNear = method.toUpperCase() === 'GET' && isHere;
    // Typed for the SDK's own copy of `fetch`, whose bodies have other types; a question has none.
    const { status, type, body } = isNear
      ? await askNear(uri, options.headers as Record<string, string>, this.#portNow)
      : await ask(uri, options as RequestInit);
    const answer: unknown = type.includes('application/json') ? JSON.parse(body) : { message: body };
    if (status >= 200 && status < 300) return answer;
    const { message = '', type: fault } = answer as Fault;
    throw new AppwriteException(message, status, fault, body);
  }
}

async function ask(uri: string, options: RequestInit): Promise<Answer> {
  const response = await fetch(uri, options);
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() };
}

const nearby = new Agent({ keepAlive: true });
/** Milliseconds without a byte, as long as `fetch` waits. */
const SILENCE = 300_000;

/**
 * Asks this machine, which is mostly this process's own port: a page that is not stored asks it four times, and `fetch` takes
 * twice the processor's time (decision 009). Throws as `fetch` does when there is no answer.
 */
async function askNear(
  uri: string,
  headers: Readonly<Record<string, string>>,
  portNow: () => number | undefined,
): Promise<Answer> {
  const port = portNow();
  const asked = request(uri, { agent: nearby, headers, ...(port !== undefined && { hostname: '127.0.0.1', port }) });
  asked.setTimeout(SILENCE, () => asked.destroy(new Error('There was no answer in time.')));
  asked.end();
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      type: response.headers['content-type'] ?? '',
      body: await text(response),
    };
  } catch (cause) {
    // The server has let an idle connection go in the moment in which it was used again, or its port has changed since.
    const isLost = asked.reusedSocket && (cause as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (isLost || portNow() !== port) return askNear(uri, headers, portNow);
    throw new TypeError('fetch failed', { cause });
  }
}
