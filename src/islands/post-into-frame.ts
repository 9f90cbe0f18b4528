import { formToken } from '#stores/settings.ts';

/**
 * Loads a page into the frame named `frame` by posting a form with the user's session. Does not use `srcdoc` or
 * `blob:`, because the document would then inherit this page's CSP.
 */
export async function postIntoFrame(frame: string, action: string, fields: Readonly<Record<string, string>>) {
  const posted = { ...fields, jwt: await formToken() };
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.target = frame;
  form.hidden = true;
  for (const [name, value] of Object.entries(posted)) {
    const input = document.createElement('textarea');
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
