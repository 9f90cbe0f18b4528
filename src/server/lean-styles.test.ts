import { expect, test } from 'vitest';
import { leanCss } from './lean-styles.ts';

const PROPERTIES = `@layer properties{@supports ((-webkit-hyphens:none)){*,::before{--tw-border-style:solid;--tw-leading:initial}}}
@property --tw-border-style{syntax:"*";inherits:false;initial-value:solid}
@property --tw-leading{syntax:"*";inherits:false}`;

test('a variable that no rule sets is replaced by its initial value or its fallback', () => {
  const css = leanCss(
    `.border{border-style:var(--tw-border-style);border-width:1px}.text{line-height:var(--tw-leading,var(--text--line-height))}${PROPERTIES}`,
  );
  expect(css.trim()).toBe('.border{border-style:solid;border-width:1px}.text{line-height:var(--text--line-height)}');
});

test('one that is set is read, and stays registered', () => {
  const css = leanCss(`.tight{--tw-leading:1;line-height:1}.text{line-height:var(--tw-leading,1.5)}${PROPERTIES}`);
  expect(css).toContain('.tight{--tw-leading:1;line-height:1}.text{line-height:var(--tw-leading,1.5)}');
  expect(css).toContain('@property --tw-leading');
  expect(css).not.toContain('border-style');
});

test('one that nobody reads is not set', () => {
  expect(leanCss('.medium{--tw-font-weight:500;font-weight:500}')).toBe('.medium{font-weight:500}');
});
