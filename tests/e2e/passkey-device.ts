/** A device with passkeys, as Chromium's virtual authenticator, for one page. It confirms each request at once. */
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
    /** Puts the signature counters of its passkeys back, as on a copy of the device. */
    async resetCounters(): Promise<void> {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of credentials)
        await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
    },

    /** Refuses every request from now on, as a user does who cannot be verified. */
    refuse: () => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}

/** Keeps passkeys out of the suggestions of the e-mail field, which the device would choose from at once. */
export async function withoutSuggestions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}
