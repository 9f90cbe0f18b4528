/** A post as the product knows it, whatever backend it came from. */

export const POST_STATUSES = ['active', 'inactive'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

interface PostField {
  /** `text` is typed, `picture` is the id of a stored file, `status` says who may read the post. */
  readonly kind: 'text' | 'picture' | 'status';
  /** Most characters; the size of the backend's attribute. */
  readonly size?: number;
  /** A post cannot be stored without it. */
  readonly required?: true;
  /** Lists of posts carry it. */
  readonly inLists: boolean;
}

/**
 * What an author writes of a post. This list is the only one: the form's checks, drafts on the device, former versions,
 * comparison and merge, the preview, the backend's attributes and documents, and imports go by it.
 */
export const POST_FIELDS = {
  title: { kind: 'text', size: 255, required: true, inLists: true },
  content: { kind: 'text', size: 1_000_000, inLists: false },
  status: { kind: 'status', required: true, inLists: true },
  featuredImage: { kind: 'picture', size: 36, inLists: true },
} as const satisfies Record<string, PostField>;

type Fields = typeof POST_FIELDS;
export type PostFieldName = keyof Fields;
type NamesOf<Kind> = { [Name in PostFieldName]: Fields[Name]['kind'] extends Kind ? Name : never }[PostFieldName];
export type TextFieldName = NamesOf<'text'>;
/** Fields that the form holds as text; a picture is chosen as a file. */
export type FormFieldName = NamesOf<'text' | 'status'>;
type UnlistedName = { [Name in PostFieldName]: Fields[Name]['inLists'] extends true ? never : Name }[PostFieldName];
/** Text fields that no code names. */
export type OtherTextName = Exclude<TextFieldName, 'title' | 'content'>;

/**
 * `content` is stored HTML (pass it through `content/sanitise` before it is shown); a text or picture that is not there is
 * empty. Posts of older versions lack the other text fields.
 */
export type PostValues = {
  readonly [Name in Exclude<PostFieldName, OtherTextName>]: Fields[Name]['kind'] extends 'status' ? PostStatus : string;
} & { readonly [Name in OtherTextName]?: string };
export type FormInput = Pick<PostValues, FormFieldName>;
export type FormValues = Required<FormInput>;

export interface Post extends PostValues {
  /** `$id` of the document; equals the slug (spec 3). */
  readonly id: string;
  /** The author's `$id`. */
  readonly userId: string;
  /** ISO dates. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly permissions: readonly string[];
}

/** A post as lists carry it. */
export type PostSummary = Omit<Post, UnlistedName>;
export type ListedValues = Omit<PostValues, UnlistedName>;

export const POST_FIELD_NAMES = Object.keys(POST_FIELDS) as readonly PostFieldName[];
const namesWhere = <Name extends PostFieldName>(test: (field: PostField) => boolean): readonly Name[] =>
  POST_FIELD_NAMES.filter((name): name is Name => test(POST_FIELDS[name]));
export const TEXT_FIELD_NAMES = namesWhere<TextFieldName>(({ kind }) => kind === 'text');
export const FORM_FIELD_NAMES = namesWhere<FormFieldName>(({ kind }) => kind !== 'picture');
export const LISTED_FIELD_NAMES = namesWhere<keyof ListedValues>(({ inLists }) => inLists);
export const OTHER_TEXT_NAMES = TEXT_FIELD_NAMES.filter(
  (name) => name !== 'title' && name !== 'content',
) as readonly OtherTextName[];

/** The post's fields of any object, such as a backend's document: what is missing or has another type is empty or inactive. */
export const postValues = (given: object): PostValues => valuesOf(POST_FIELD_NAMES, given) as PostValues;
export const formValues = (given: object): FormValues => valuesOf(FORM_FIELD_NAMES, given) as FormValues;
export const listedValues = (given: object): ListedValues => valuesOf(LISTED_FIELD_NAMES, given) as ListedValues;

/** Each text field with what `make` gives for it. */
export const eachTextField = <Made>(make: (name: TextFieldName) => Made): Readonly<Record<TextFieldName, Made>> =>
  Object.fromEntries(TEXT_FIELD_NAMES.map((name) => [name, make(name)])) as Record<TextFieldName, Made>;

export function sameFormValues(one: FormInput, other: FormInput): boolean {
  const [first, second] = [formValues(one), formValues(other)];
  return FORM_FIELD_NAMES.every((name) => first[name] === second[name]);
}

function valuesOf(names: readonly PostFieldName[], given: object): Partial<PostValues> {
  const values: Partial<Record<PostFieldName, unknown>> = given;
  const found: Partial<Record<PostFieldName, string>> = {};
  for (const name of names) {
    const value = values[name];
    if (name === 'status') found.status = value === 'active' ? 'active' : 'inactive';
    else found[name] = typeof value === 'string' ? value : '';
  }
  return found as Partial<PostValues>;
}
