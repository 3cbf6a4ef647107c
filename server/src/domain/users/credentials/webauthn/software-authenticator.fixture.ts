// An authenticator in software: a real ES256 key that answers as a browser would, or as an attacker would.
// W3C Web Authentication Level 3, 6.1 (authenticator data) and 6.5 (attestation). Used by tests only.
import 'reflect-metadata'
import { createHash, generateKeyPairSync, KeyObject, randomBytes, sign, webcrypto } from 'node:crypto'
import { BasicConstraintsExtension, CRLDistributionPointsExtension, X509CertificateGenerator } from '@peculiar/x509'

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId: string
}

/** What is different from what an honest browser and authenticator would do. */
export interface Answering {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  userVerified?: boolean
  userPresent?: boolean
  counter?: number
  userHandle?: string | null
  credentialId?: Buffer
  aaguid?: string
  /** The key signs for itself (packed), with its own key. */
  selfAttestation?: boolean
  backedUp?: boolean
  /** A maker vouches for the key (packed, with a certificate). */
  maker?: Maker
  /** Bytes that mean nothing, in an attestation object that is sound otherwise. */
  paddingBytes?: number
}

export interface Maker {
  certificate: Buffer
  privateKey: KeyObject
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Just enough CBOR (RFC 8949): integers, byte and text strings, arrays of byte strings, maps. */
function cbor(value: number | string | Buffer | Buffer[] | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...value].flatMap(([name, member]) => [cbor(name), cbor(member as Parameters<typeof cbor>[0])])
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}

export class SoftwareAuthenticator {
  credentialId = randomBytes(32)
  counter = 0
  userHandle: string | null = null
  readonly #origin: string
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject

  constructor(origin: string) {
    this.#origin = origin
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#publicKey = pair.publicKey
    this.#privateKey = pair.privateKey
  }

  /** navigator.credentials.create, as JSON. */
  register(options: object, answering: Answering = {}) {
    const { challenge, rp, user } = options as CreationOptions
    this.userHandle = user.id
    const credentialId = answering.credentialId ?? this.credentialId
    const clientData = this.#clientData('webauthn.create', challenge, answering)
    const aaguid = Buffer.from((answering.aaguid ?? '00000000-0000-0000-0000-000000000000').replaceAll('-', ''), 'hex')
    const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff])
    const attested = Buffer.concat([aaguid, length, credentialId, this.#coseKey()])
    const authData = this.#authenticatorData(rp.id, answering, attested)
    const statement = new Map<string, unknown>()
    const { maker } = answering
    if (answering.selfAttestation || maker) {
      statement.set('alg', -7)
      statement.set('sig', this.#sign(authData, clientData, maker?.privateKey))
    }
    if (maker) statement.set('x5c', [maker.certificate])
    const attestation = new Map<string, unknown>([
      ['fmt', statement.size > 0 ? 'packed' : 'none'],
      ['attStmt', statement],
      ['authData', authData],
    ])
    if (answering.paddingBytes) attestation.set('padding', Buffer.alloc(answering.paddingBytes))
    const id = credentialId.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['usb', 'made-up'],
      },
    }
  }

  /** navigator.credentials.get, as JSON. */
  answer(options: object, answering: Answering = {}) {
    const { challenge, rpId } = options as RequestOptions
    const clientData = this.#clientData('webauthn.get', challenge, answering)
    const authData = this.#authenticatorData(rpId, answering)
    const id = (answering.credentialId ?? this.credentialId).toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: this.#sign(authData, clientData).toString('base64url'),
        userHandle: answering.userHandle === undefined ? this.userHandle : answering.userHandle,
      },
    }
  }

  #clientData(type: string, challenge: string, answering: Answering): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: answering.type ?? type,
        challenge: answering.challenge ?? challenge,
        origin: answering.origin ?? this.#origin,
        crossOrigin: answering.crossOrigin ?? false,
      }),
    )
  }

  #authenticatorData(rpId: string, answering: Answering, attested?: Buffer): Buffer {
    const { userPresent = true, userVerified = true, backedUp = false } = answering
    const backup = backedUp ? 0x18 : 0
    const flags = (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | backup | (attested ? 0x40 : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(answering.counter ?? this.counter)
    return Buffer.concat([
      sha256(answering.rpId ?? rpId),
      Buffer.from([flags]),
      counter,
      ...(attested ? [attested] : []),
    ])
  }

  #coseKey(): Buffer {
    const jwk = this.#publicKey.export({ format: 'jwk' })
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(jwk.x!, 'base64url')],
        [-3, Buffer.from(jwk.y!, 'base64url')],
      ]),
    )
  }

  #sign(authData: Buffer, clientData: Buffer, key = this.#privateKey): Buffer {
    return sign('sha256', Buffer.concat([authData, sha256(clientData)]), key)
  }
}

/** A maker of authenticators, whose certificate names a list of revoked ones at this address. */
export async function createMaker(revocationUrl: string): Promise<Maker> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const name = 'C=CH, O=Maker, OU=Authenticator Attestation, CN=Model 1'
  const certificate = await X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: algorithm,
    // The same keys under two names: the library's types are those of a browser.
    publicKey: keys.publicKey as never,
    signingKey: keys.privateKey as never,
    extensions: [new BasicConstraintsExtension(false), new CRLDistributionPointsExtension([revocationUrl])],
  })
  return { certificate: Buffer.from(certificate.rawData), privateKey: KeyObject.from(keys.privateKey) }
}
