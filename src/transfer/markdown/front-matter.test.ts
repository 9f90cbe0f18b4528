import { describe, expect, it } from 'vitest';
import { OperatorError } from '#blog/errors.ts';
import { readDocument } from './front-matter.ts';

describe('front matter', () => {
  it('in YAML and TOML is taken off', () => {
    expect(readDocument('---\ntitle: A\n---\nb\n')).toEqual({ fields: { title: 'A' }, body: 'b\n' });
    expect(readDocument('+++\ntitle = "A"\n[extra]\nx = 1\n+++\n\nb')).toEqual({
      fields: { title: 'A', extra: { x: 1 } },
      body: '\nb',
    });
  });

  it('in JSON is taken off, as Hugo writes it', () => {
    expect(readDocument('{\n  "title": "A",\n  "params": {\n    "x": 1\n  }\n}\n\ntext')).toEqual({
      fields: { title: 'A', params: { x: 1 } },
      body: '\ntext',
    });
    expect(() => readDocument('{\n  "title": A\n}\ntext')).toThrow('JSON front matter');
    expect(readDocument('{{< a >}}\n}\ntext').fields).toEqual({});
  });

  it('may be empty, end with Windows lines or follow a byte order mark', () => {
    expect(readDocument('---\n---\nb')).toEqual({ fields: {}, body: 'b' });
    expect(readDocument('\uFEFF---\r\ntitle: A\r\n---\r\nb')).toEqual({ fields: { title: 'A' }, body: 'b' });
  });

  it('is not a rule in the text', () => {
    expect(readDocument('a\n\n---\n\nb').fields).toEqual({});
    expect(readDocument('---\n\na rule at the top').body).toBe('---\n\na rule at the top');
  });

  it('that is broken is named with the reason', () => {
    expect(() => readDocument('---\ntitle: [a\n---\n')).toThrow(OperatorError);
    expect(() => readDocument('+++\ntitle = \n+++\n')).toThrow(/^the TOML front matter cannot be read: /);
    expect(() => readDocument('+++\ntitle = "a"\n\ntext')).toThrow('a line "+++" is missing');
    expect(() => readDocument('---\n- a\n---\n')).toThrow('the YAML front matter is no list of fields');
  });
});
