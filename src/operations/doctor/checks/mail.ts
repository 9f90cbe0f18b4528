/** Whether mails can go out. */
import type { Check } from '../site.ts';

export const mail: Check = {
  name: 'mail',
  async run({ tools }) {
    const fault = await tools.mailFault();
    if (fault === undefined) return [];
    return [
      {
        id: 'mail.refused',
        sentence: 'The mail server cannot be used: nobody can set a new password.',
        evidence: fault,
        mend: 'Set SMTP_HOST, SMTP_PORT, SMTP_SECURE, SMTP_USERNAME and SMTP_PASSWORD as your provider says; then npm run doctor -- mail YOUR_ADDRESS',
      },
    ];
  },
};
