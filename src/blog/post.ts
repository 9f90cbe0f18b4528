export const POST_STATUSES = ['active', 'inactive'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

/** Kinds of pages, which have short URLs such as `/about` and appear in no list. A post has no kind. */
export const PAGE_KINDS = ['page', 'page-with-byline'] as const;

/** A post with `send` is emailed to the newsletter's subscribers once it is public. Pages are never emailed. */
export const NEWSLETTER_CHOICES = ['send'] as const;

interface PostField {
  /**
   * `texts`: a list of short texts. `time`: a date. `picture`: the id of a stored file. `choice`: one of `choices`.
   * `status`: decides who may read the post.
   */
  readonly kind: 'text' | 'texts' | 'time' | 'picture' | 'choice' | 'status';
  readonly choices?: readonly string[];
  /** Maximum length of the value, or of each text in a list, in characters. Also the backend attribute's size. */
  readonly size?: number;
  readonly most?: number;
  readonly required?: true;
  /**
   * True for a field that is not in the specification, so a document or even the collection may lack it. Such a field
   * is written only if it is set or was set before.
   */
  readonly optional?: true;
  readonly inLists: boolean;
}

/**
 * The single list of the fields that an author can set. The form, local drafts, earlier versions, comparison and merge,
 * the preview, the backend's schema and documents, and imports are all derived from it.
 */
export const POST_FIELDS = {
  title: { kind: 'text', size: 255, required: true, inLists: true },
  content: { kind: 'text', size: 1_000_000, inLists: false },
  status: { kind: 'status', required: true, inLists: true },
  featuredImage: { kind: 'picture', size: 36, inLists: true },
  /** Tag names as the author wrote them. `tags.ts` decides which of them mean the same tag. */
  tags: { kind: 'texts', size: 80, most: 10, optional: true, inLists: true },
  publishAt: { kind: 'time', optional: true, inLists: true },
  unpublishAt: { kind: 'time', optional: true, inLists: true },
  /** Shown in lists of posts instead of the beginning of the text. */
  excerpt: { kind: 'text', size: 300, optional: true, inLists: true },
  /** BCP 47 code; detected from the text if empty. */
  language: { kind: 'text', size: 35, optional: true, inLists: true },
  featuredImageAlt: { kind: 'text', size: 300, optional: true, inLists: true },
  kind: { kind: 'choice', choices: PAGE_KINDS, optional: true, inLists: true },
  newsletter: { kind: 'choice', choices: NEWSLETTER_CHOICES, optional: true, inLists: true },
} as const satisfies Record<string, PostField>;

type Fields = typeof POST_FIELDS;
export type PostFieldName = keyof Fields;
type NamesOf<Kind> = { [Name in PostFieldName]: Fields[Name]['kind'] extends Kind ? Name : never }[PostFieldName];
export type TextFieldName = NamesOf<'text'>;
export type FormFieldName = Exclude<PostFieldName, NamesOf<'picture'>>;
type UnlistedName = { [Name in PostFieldName]: Fields[Name]['inLists'] extends true ? never : Name }[PostFieldName];
type OptionalName = {
  [Name in PostFieldName]: Fields[Name] extends { readonly optional: true } ? Name : never;
}[PostFieldName];
export type OtherTextName = Exclude<TextFieldName, 'title' | 'content'>;
type ValueOf<Name extends PostFieldName> = Fields[Name]['kind'] extends 'status'
  ? PostStatus
  : Fields[Name]['kind'] extends 'texts'
    ? readonly string[]
    : Fields[Name] extends { readonly choices: readonly (infer Choice)[] }
      ? Choice | ''
      : string;

/**
 * `content` is stored HTML (sanitise it with `content/sanitise` before display); missing texts and pictures are empty.
 * An optional field is present only if it is set; a time is an ISO date in UTC.
 */
export type PostValues = { readonly [Name in Exclude<PostFieldName, OptionalName>]: ValueOf<Name> } & {
  readonly [Name in OptionalName]?: ValueOf<Name>;
};
export type FormInput = Pick<PostValues, FormFieldName>;
export type FormValues = { readonly [Name in FormFieldName]: ValueOf<Name> };

export interface Post extends PostValues {
  /** The document's `$id`, which equals the slug (spec 3). */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly permissions: readonly string[];
}

export type PostSummary = Omit<Post, UnlistedName>;

export const isPage = ({ kind }: Pick<PostValues, 'kind'>): boolean => Boolean(kind);
/** Returns true if the author and date are shown: for a post and for a page of the kind `page-with-byline`. */
export const hasByline = ({ kind }: Pick<PostValues, 'kind'>): boolean => kind !== 'page';
export type ListedValues = Omit<PostValues, UnlistedName>;

export const POST_FIELD_NAMES = Object.keys(POST_FIELDS) as readonly PostFieldName[];
const namesWhere = <Name extends PostFieldName>(test: (field: PostField) => boolean): readonly Name[] =>
  POST_FIELD_NAMES.filter((name): name is Name => test(POST_FIELDS[name]));
export const TEXT_FIELD_NAMES = namesWhere<TextFieldName>(({ kind }) => kind === 'text');
export const FORM_FIELD_NAMES = namesWhere<FormFieldName>(({ kind }) => kind !== 'picture');
export const LISTED_FIELD_NAMES = namesWhere<keyof ListedValues>(({ inLists }) => inLists);
export const OPTIONAL_FIELD_NAMES = namesWhere<OptionalName>(({ optional }) => optional === true);
export const OTHER_TEXT_NAMES = TEXT_FIELD_NAMES.filter(
  (name) => name !== 'title' && name !== 'content',
) as readonly OtherTextName[];
const OPTIONAL: ReadonlySet<PostFieldName> = new Set(OPTIONAL_FIELD_NAMES);

/**
 * Returns the post fields of any object, such as a backend document. Missing or invalid fields become empty; optional
 * ones are left out, and the status becomes `inactive`. Truncates each field to its limits in `POST_FIELDS`, because a
 * backend may store longer lists than the form sends.
 */
export const postValues = (given: object): PostValues => setValues(POST_FIELD_NAMES, given, boundedIn) as PostValues;
export const formValues = (given: object): FormValues =>
  Object.fromEntries(FORM_FIELD_NAMES.map((name) => [name, valueIn(given, name)])) as FormValues;
export const formInput = (given: object): FormInput => setValues(FORM_FIELD_NAMES, given) as FormInput;
export const listedValues = (given: object): ListedValues =>
  setValues(LISTED_FIELD_NAMES, given, boundedIn) as ListedValues;

/**
 * Returns the form's fields for a write. Includes an optional field only if it is set now or was set in `former`, so
 * that a backend without the field accepts the write.
 */
export function writtenValues(given: object, former: object = {}): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const name of FORM_FIELD_NAMES) {
    const value = valueIn(given, name);
    if (!OPTIONAL.has(name) || isSet(value)) written[name] = value;
    else if (isSet(valueIn(former, name))) written[name] = NULL_IF_EMPTY.has(POST_FIELDS[name].kind) ? null : value;
  }
  return written;
}

const NULL_IF_EMPTY: ReadonlySet<PostField['kind']> = new Set(['time', 'choice']);

export const eachOtherText = <Made>(make: (name: OtherTextName) => Made): Readonly<Record<OtherTextName, Made>> =>
  Object.fromEntries(OTHER_TEXT_NAMES.map((name) => [name, make(name)])) as Record<OtherTextName, Made>;

export const sameValue = (name: PostFieldName, one: object, other: object): boolean =>
  [valueIn(one, name)].flat().join('\n') === [valueIn(other, name)].flat().join('\n');

export const sameFormValues = (one: FormInput, other: FormInput): boolean =>
  FORM_FIELD_NAMES.every((name) => sameValue(name, one, other));

const isSet = (value: string | readonly string[]): boolean => value.length > 0;

function setValues(names: readonly PostFieldName[], given: object, read = valueIn): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const value = read(given, name);
    if (!OPTIONAL.has(name) || isSet(value)) found[name] = value;
  }
  return found;
}

function valueIn(given: object, name: PostFieldName): string | readonly string[] {
  const value = (given as Readonly<Record<string, unknown>>)[name];
  const { kind, choices = [] }: PostField = POST_FIELDS[name];
  if (kind === 'status') return value === 'active' ? 'active' : 'inactive';
  if (kind === 'texts') return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
  if (typeof value !== 'string' || (kind === 'choice' && !choices.includes(value))) return '';
  return kind === 'time' ? isoTime(value) : value;
}

/** Truncates a value to its limits. Not used for form input, because the form reports values that are too long. */
function boundedIn(given: object, name: PostFieldName): string | readonly string[] {
  const value = valueIn(given, name);
  const { size = Number.POSITIVE_INFINITY, most }: PostField = POST_FIELDS[name];
  return typeof value === 'string' ? cut(value, size) : value.slice(0, most).map((text) => cut(text, size));
}

function cut(text: string, size: number): string {
  if (text.length <= size) return text;
  let end = 0;
  for (let count = 0; count < size && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

function isoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
