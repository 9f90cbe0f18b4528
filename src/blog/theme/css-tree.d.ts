/** Types of css-tree's individual modules. Its main module would read tables of CSS properties from disk. */
declare module 'css-tree/parser' {
  export { parse as default } from 'css-tree';
}
declare module 'css-tree/generator' {
  export { generate as default } from 'css-tree';
}
declare module 'css-tree/walker' {
  import type { find, walk } from 'css-tree';

  const walker: typeof walk & { readonly find: typeof find };
  export default walker;
}
declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree';
}
