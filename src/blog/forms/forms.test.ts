import { expect, it } from 'vitest';
import { fieldMessages } from './field-messages.ts';
import { CONTENT_MAX, postSchema, TITLE_MAX } from './forms.ts';
import { loginSchema, NAME_MAX, signupSchema } from './sign-in-forms.ts';

const person = { name: 'Ann', email: 'ann@example.com', password: 'Secret1!', confirmPassword: 'Secret1!' };
const signup = (change: Partial<typeof person>) => fieldMessages(signupSchema, { ...person, ...change });
const passwordFaults = (password: string) => {
  const { error } = signupSchema.safeParse({ ...person, password, confirmPassword: password });
  return error?.issues.map(({ message }) => message) ?? [];
};

it('login trims and lowers the e-mail, and leaves the password alone', () => {
  const given = { email: ' Ann@Example.COM ', password: ' x ' };
  expect(loginSchema.parse(given)).toEqual({ email: 'ann@example.com', password: ' x ' });
});

it('login asks for what is missing', () => {
  const required = { email: 'Email is required', password: 'Password is required' };
  expect(fieldMessages(loginSchema, { email: '  ', password: '' })).toEqual(required);
  expect(fieldMessages(loginSchema, { email: 'ann@', password: 'x' })).toEqual({ email: 'Enter a valid email' });
});

it('sign-up accepts a right form', () => expect(signup({})).toEqual({}));

it('sign-up strips tags from the name and collapses white space', () => {
  const { name } = signupSchema.parse({ ...person, name: '  <b>Ann</b> \n\t <script>Lee</script> ' });
  expect(name).toBe('Ann Lee');
});

it('sign-up asks for a name, also when nothing but tags was given', () => {
  for (const name of [' ', '<br>']) expect(signup({ name })).toEqual({ name: 'Name is required' });
});

it('sign-up takes a name of 80 characters and refuses one of 81', () => {
  expect(signup({ name: 'x'.repeat(NAME_MAX) })).toEqual({});
  expect(signup({ name: 'x'.repeat(NAME_MAX + 1) })).toEqual({ name: 'Name too long' });
});

it('sign-up reports every rule a password breaks', () => {
  const kinds = ['uppercase letter', 'lowercase letter', 'number', 'special character'];
  const lacking = kinds.map((kind) => `Add at least one ${kind}`);
  expect(passwordFaults('')).toEqual([
    ...['Password must be at least 6 characters long', ...lacking, 'Please confirm your password'],
  ]);
  const weak = ['abcdef1!', 'ABCDEF1!', 'Abcdefg!', 'Abcdefg1'];
  expect(weak.flatMap(passwordFaults)).toEqual(lacking);
});

it('sign-up takes 6 and 64 characters, and refuses 5 and 65', () => {
  expect(passwordFaults('Abc1!x')).toEqual([]);
  expect(passwordFaults('Ab1!x')).toEqual(['Password must be at least 6 characters long']);
  expect(passwordFaults(`Ab1!${'x'.repeat(60)}`)).toEqual([]);
  expect(passwordFaults(`Ab1!${'x'.repeat(61)}`)).toEqual(['Password must be at most 64 characters long']);
});

it('sign-up shows on the confirm field that the passwords differ, also when other fields are wrong', () => {
  expect(signup({ confirmPassword: 'Secret2!' })).toEqual({ confirmPassword: 'Passwords do not match' });
  expect(signup({ confirmPassword: 'x', name: '', email: '', password: 'y' })).toEqual({
    name: 'Name is required',
    email: 'Email is required',
    password: 'Password must be at least 6 characters long',
    confirmPassword: 'Passwords do not match',
  });
  expect(signup({ confirmPassword: '' })).toEqual({ confirmPassword: 'Please confirm your password' });
});

const post = { title: 'Ink', slug: 'ink', content: '<p>x</p>', status: 'active' };
const faults = (change: object) => fieldMessages(postSchema, { ...post, ...change });

it('the post form accepts a right form, and a post without content', () => {
  for (const change of [{}, { content: '' }]) expect(faults(change)).toEqual({});
});

it('the post form asks for title, slug and status', () => {
  const asked = { title: 'Enter a title.', slug: 'Enter a slug.', status: 'Choose a status: active or inactive.' };
  expect(faults({ title: ' ', slug: '', status: '' })).toEqual(asked);
});

it('the post form takes titles and contents as long as the backend stores, and not one character more', () => {
  expect(faults({ title: 'x'.repeat(TITLE_MAX), content: 'x'.repeat(CONTENT_MAX) })).toEqual({});
  const { title } = faults({ title: 'x'.repeat(TITLE_MAX + 1) });
  expect(title).toBe('Use at most 255 characters in the title; it has 256.');
  expect(faults({ content: 'x'.repeat(CONTENT_MAX + 1) }).content).toMatch(/1,000,001 characters of HTML/);
});
