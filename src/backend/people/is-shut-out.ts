import type { Users } from 'node-appwrite';
import { faultOf } from '#blog/errors.ts';

/**
 * Returns true for a blocked or deleted account; always false if the key lacks `users.read`.
 * @throws the SDK's error if the backend does not respond
 */
export async function isShutOut(users: Users, userId: string): Promise<boolean> {
  try {
    return !(await users.get({ userId })).status;
  } catch (error) {
    const { type } = faultOf(error);
    if (type === 'user_not_found') return true;
    if (type === 'general_unauthorized_scope') return false;
    throw error;
  }
}
