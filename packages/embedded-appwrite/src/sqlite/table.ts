/** Reads and writes rows as records. Columns are in snake case, keys in camel case: `created_at` is `createdAt`. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { exactText, parseExact } from '../http/exact-json.ts';
import type { Store } from './store.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

export interface Column<T> {
  read(held: SQLOutputValue | undefined): T;
  write(value: T): SQLInputValue;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

export type RecordOf<C extends Columns> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

export const textOf = <T extends string>(): Column<T> => ({ read: (held) => held as T, write: (value) => value });
export const text = textOf<string>();
/** A `TEXT` column that stores an empty string as NULL. */
export const textOrEmpty: Column<string> = {
  read: (held) => (held as string | null) ?? '',
  write: (text) => text || null,
};
export const textOrNull: Column<string | null> = { read: (held) => held as string | null, write: (value) => value };
export const integer: Column<number> = { read: Number, write: (value) => value };
export const blob: Column<Uint8Array> = { read: (held) => held as Uint8Array, write: (value) => value };
export const flag: Column<boolean> = { read: (held) => held === 1, write: Number };
/** A `TEXT` column of JSON. Integers beyond 2^53 are `bigint` in the record. */
export const json = <T>(): Column<T> => ({ read: (held) => parseExact(held as string) as T, write: exactText });

const columnName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function rowReader<C extends Columns>(columns: C): (row: Row) => RecordOf<C> {
  const entries = Object.entries(columns).map(([key, column]) => [key, columnName(key), column] as const);
  return (row) =>
    Object.fromEntries(entries.map(([key, name, column]) => [key, column.read(row[name])])) as RecordOf<C>;
}

/** `where` lists the column values to match. Methods that write must run inside `store.write`. */
export interface Table<R> {
  fromRow(row: Row): R;
  get(store: Store, where: Partial<R>): R | undefined;
  list(store: Store, where: Partial<R>, orderBy?: string): R[];
  /** Returns the rowid. Omitted columns get their SQL default. */
  insert(store: Store, record: Partial<R>): number;
  update(store: Store, where: Partial<R>, changes: Partial<R>): number;
  delete(store: Store, where: Partial<R>): number;
}

export function table<C extends Columns>(name: string, columns: C): Table<RecordOf<C>> {
  type Values = Partial<RecordOf<C>>;
  const fromRow = rowReader(columns);
  const names = (values: Values) => Object.keys(values).map(columnName);
  const assigned = (values: Values, between: string) =>
    names(values)
      .map((each) => `${each} = ?`)
      .join(between);
  const held = (values: Values) =>
    Object.entries(values).map(([key, value]) => (columns[key] as Column<unknown>).write(value));

  return {
    fromRow,
    get(store, where) {
      const row = store.prepare(`SELECT * FROM ${name} WHERE ${assigned(where, ' AND ')}`).get(...held(where));
      return row && fromRow(row);
    },
    list(store, where, orderBy = 'sequence') {
      const sql = `SELECT * FROM ${name} WHERE ${assigned(where, ' AND ')} ORDER BY ${orderBy}`;
      return store
        .prepare(sql)
        .all(...held(where))
        .map(fromRow);
    },
    insert(store, record) {
      const places = names(record).map(() => '?');
      const sql = `INSERT INTO ${name} (${names(record).join(', ')}) VALUES (${places.join(', ')})`;
      return Number(store.prepare(sql).run(...held(record)).lastInsertRowid);
    },
    update(store, where, changes) {
      const sql = `UPDATE ${name} SET ${assigned(changes, ', ')} WHERE ${assigned(where, ' AND ')}`;
      return Number(store.prepare(sql).run(...held(changes), ...held(where)).changes);
    },
    delete(store, where) {
      return Number(store.prepare(`DELETE FROM ${name} WHERE ${assigned(where, ' AND ')}`).run(...held(where)).changes);
    },
  };
}
