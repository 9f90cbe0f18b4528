/** Simulates a device with passkeys for one page: Chromium's virtual authenticator, which confirms requests at once. */
import type { Page } from 'playwright/test';

export async function passkeyDevice(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return {
    /** Resets the signature counters of the device's passkeys to 0, as on a copy of the device. */
    async resetCounters(): Promise<void> {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of credentials)
        await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
    },

    /** Refuses all requests from now on, as if the user could not be verified. */
    refuse: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}

/** Disables passkey suggestions in the email field, because the simulated device would accept one at once. */
export async function withoutSuggestions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}
