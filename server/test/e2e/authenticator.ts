import type { Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>
  remove(): Promise<void>
}

/**
 * Chromium's own authenticator without hardware: it keeps passkeys and answers at once. One that does not verify its person is a
 * plain security key.
 */
export async function addAuthenticator(page: Page, { verifies = true } = {}): Promise<VirtualAuthenticator> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: verifies ? 'internal' : 'usb',
      hasResidentKey: verifies,
      hasUserVerification: verifies,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  })
  return {
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    remove: async () => {
      await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
