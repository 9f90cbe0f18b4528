/** Serves each `/databases` route under `/tablesdb` as well, where documents are called rows (contract 2.5). */
import { AppwriteError, type ErrorType } from '../http/errors.ts';
import { endpoint, type Params, type Route, type RouteContext, type Values } from '../http/route.ts';

export type Dialect = typeof DATABASES | typeof TABLESDB;

export const DATABASES = {
  name: 'databases',
  collectionField: '$collectionId',
  documentSecurity: 'documentSecurity',
  collections: 'collections',
  attributes: 'attributes',
  documents: 'documents',
} as const;

const TABLESDB = {
  name: 'tablesdb',
  collectionField: '$tableId',
  documentSecurity: 'rowSecurity',
  collections: 'tables',
  attributes: 'columns',
  documents: 'rows',
} as const;

const TABLE_WORDS: Readonly<Record<string, string>> = {
  collectionId: 'tableId',
  documentId: 'rowId',
  documentSecurity: 'rowSecurity',
  documents: 'rows',
  attributes: 'columns',
  attribute: 'column',
};

const PATH_WORDS: readonly (readonly [RegExp, string])[] = [
  [/ \/databases/, ' /tablesdb'],
  [/\/collections/, '/tables'],
  [/\/attributes/, '/columns'],
  [/\/documents/, '/rows'],
  [/:collectionId/, ':tableId'],
  [/:documentId/, ':rowId'],
  [/:attribute\b/, ':column'],
];

const SCOPE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^collections/, 'tables'],
  [/^documents/, 'rows'],
];

const ERROR_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^collection_/, 'table_'],
  [/^document_/, 'row_'],
  [/^attribute_/, 'column_'],
  [/^index_/, 'column_index_'],
];

const MESSAGE_WORDS: Readonly<Record<string, string>> = {
  Collection: 'Table',
  Document: 'Row',
  Attribute: 'Column',
  document: 'row',
};

const replaced = (text: string, words: readonly (readonly [RegExp, string])[]): string =>
  words.reduce((changed, [word, other]) => changed.replace(word, other), text);

/** Rewords an error for the tables dialect, but keeps messages about a document's structure (contract 2.5). */
function inTableWords(error: unknown): unknown {
  if (!(error instanceof AppwriteError)) return error;
  const message = error.message
    .replace(/^(Collection|Document|Attribute)(?= (?:with|')| ID)/, (word) => MESSAGE_WORDS[word] ?? word)
    .replace(/^Remote document/, 'Remote row');
  return new AppwriteError(error.type as ErrorType, message, { shownType: replaced(error.type, ERROR_WORDS) });
}

export type DialectContext<P extends Params> = RouteContext<Values<P>> & { readonly dialect: Dialect };

/** A class: V8 gives each object from a literal with getters its own hidden class, which only a full GC frees. */
class InDialect<P extends Params> implements DialectContext<P> {
  readonly params: Values<P>;
  readonly dialect: Dialect;
  readonly #context: RouteContext<unknown>;

  constructor(context: RouteContext<unknown>, dialect: Dialect, params: Values<P>) {
    this.params = params;
    this.dialect = dialect;
    this.#context = context;
  }

  get caller() {
    return this.#context.caller;
  }

  get admit() {
    return this.#context.admit;
  }

  get client() {
    return this.#context.client;
  }

  get request() {
    return this.#context.request;
  }

  /** Not copied in the constructor, because reading it tells the context that the handler writes to the response. */
  get response() {
    return this.#context.response;
  }
}

export function inBothDialects<P extends Params>(
  address: `${Route['method']} /databases${string}`,
  options: string | Omit<Route, 'method' | 'path' | 'params' | 'handle'>,
  params: P,
  handle: (context: DialectContext<P>) => ReturnType<Route<P>['handle']>,
): Route[] {
  const given = typeof options === 'string' ? { scope: options } : options;
  const names = Object.keys(params).map((name) => [name, TABLE_WORDS[name] ?? name] as const);
  const own = endpoint(address, given, params, (context) =>
    handle(new InDialect<P>(context, DATABASES, context.params)),
  );
  const twin = endpoint(
    replaced(address, PATH_WORDS) as typeof address,
    { ...given, scope: replaced(given.scope, SCOPE_WORDS) },
    Object.fromEntries(names.map(([name, word]) => [word, params[name]])) as Params,
    async (context) => {
      const old = Object.fromEntries(names.map(([name, word]) => [name, context.params[word]]));
      try {
        return await handle(new InDialect<P>(context, TABLESDB, old as Values<P>));
      } catch (error) {
        throw inTableWords(error);
      }
    },
  );
  return [own, twin];
}
