import { faultOf } from '#blog/errors.ts';
import type { PasskeySignIn } from '#blog/passkeys.ts';
import type { User } from '#blog/user.ts';
import { connect, logged } from './client.ts';
import { completeLogin } from './second-factor.ts';
import { sessionUser } from './session.ts';

/**
 * Opens the session granted by a passkey, replacing any other session, and completes its second factor.
 * @throws the SDK's error: `user_more_factors_required` if the session needs a code that the server cannot provide
 */
export const openPasskeySession = ({ userId, secret, codes }: PasskeySignIn): Promise<User> =>
  logged('openPasskeySession', async () => {
    const { account } = connect();
    const open = () => account.createSession({ userId, secret });
    await open().catch(async (error: unknown) => {
      const { type } = faultOf(error);
      if (type !== 'user_session_already_exists' && type !== 'user_more_factors_required') throw error;
      await account.deleteSession({ sessionId: 'current' });
      await open();
    });
    return sessionUser().catch(async (error: unknown) => {
      if (faultOf(error).type !== 'user_more_factors_required' || codes.length === 0) throw error;
      return completeLogin(codes, 'totp').catch((refusal: unknown) => {
        // Each code is accepted only once, so all of them may have been used. The page then asks the user for a code.
        throw faultOf(refusal).type === 'user_invalid_token' ? error : refusal;
      });
    });
  });
