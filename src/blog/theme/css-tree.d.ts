/** The parts of css-tree that need no tables of properties, which its main file would read from disk. */
declare module 'css-tree/parser' {
  import type { parse } from 'css-tree';

  const parser: typeof parse;
  export default parser;
}
declare module 'css-tree/generator' {
  import type { generate } from 'css-tree';

  const generator: typeof generate;
  export default generator;
}
declare module 'css-tree/walker' {
  import type { find, walk } from 'css-tree';

  const walker: typeof walk & { readonly find: typeof find };
  export default walker;
}
declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree';
}
