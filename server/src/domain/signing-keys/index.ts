// RSA key pairs with their self-signed certificate, made ahead of need so that no request waits for one.
// Contract 1.6 and 2.62; the same key signs OIDC tokens and SAML assertions.
// Used when a realm is created and by /keys/rotate; rows belong to domain/keys.
import 'reflect-metadata'
import { generateKeyPair, randomBytes, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import * as x509 from '@peculiar/x509'

export interface SigningKey {
  size: 2048 | 3072 | 4096
  /** Base64 of the SubjectPublicKeyInfo DER. */
  publicKey: string
  /** Base64 of the certificate's DER. */
  certificate: string
  /** PKCS #8 DER. */
  privateKey: Buffer
}

export interface KeySource {
  take(): Promise<SigningKey>
  stop(): void
}

x509.cryptoProvider.set(webcrypto as Crypto)
const generate = promisify(generateKeyPair)
const size = 2048
// Ten years: relying parties that pin the certificate are told by rotation, not by its expiry.
const validMs = 10 * 365 * 86_400_000

export async function makeSigningKey(): Promise<SigningKey> {
  const pair = await generate('rsa', {
    modulusLength: size,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    name: 'CN=Gatehouse realm signing key',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + validMs),
    signingAlgorithm: algorithm,
    keys: {
      privateKey: await webcrypto.subtle.importKey('pkcs8', pair.privateKey, algorithm, false, ['sign']),
      publicKey: await webcrypto.subtle.importKey('spki', pair.publicKey, algorithm, true, ['verify']),
    } as CryptoKeyPair,
  })
  return {
    size,
    publicKey: pair.publicKey.toString('base64'),
    certificate: Buffer.from(certificate.rawData).toString('base64'),
    privateKey: pair.privateKey,
  }
}

/**
 * Keeps a few keys ready and makes the next ones one at a time on a thread of their own, so that a burst of new realms is
 * limited by the processor and not by each request in turn.
 */
export function createKeyPool(ready: number): KeySource {
  const keys: SigningKey[] = []
  let stopped = false
  let filling = false

  async function fill() {
    if (filling) return
    filling = true
    while (!stopped && keys.length < ready) keys.push(await makeSigningKey())
    filling = false
  }
  void fill()

  return {
    async take() {
      const key = keys.pop() ?? (await makeSigningKey())
      void fill()
      return key
    },
    stop() {
      stopped = true
    },
  }
}
