/**
 * A software passkey, for tests: creates ES256 credentials and signs challenges, correctly or with a fault.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Site = { readonly rpId: string; readonly origin: string }

type Deviation = {
  readonly origin?: string
  readonly rpId?: string
  /** Omitted: one more than before. */
  readonly counter?: number
  readonly isUserVerified?: boolean
  /** The user handle in the response; omitted, it sends none. */
  readonly userHandle?: string
}

const userPresent = 0x01
const userVerified = 0x04
const credentialIncluded = 0x40

export function createAuthenticator(site: Site) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  function dataOf(deviation: Deviation, flags: number): Buffer {
    counter = deviation.counter ?? counter + 1
    const verified = deviation.isUserVerified === false ? 0 : userVerified
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flagByte = Buffer.of(flags | userPresent | verified)
    return Buffer.concat([sha256(deviation.rpId ?? site.rpId), flagByte, count])
  }

  function clientDataOf(type: string, challenge: string, deviation: Deviation): Buffer {
    const origin = deviation.origin ?? site.origin
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  const named = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }

  return {
    register({ challenge }: { challenge: string }, deviation: Deviation = {}) {
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const data = Buffer.concat([
        dataOf({ counter: 0, ...deviation }, credentialIncluded),
        Buffer.alloc(16),
        Buffer.of(0, id.length),
        id,
        key,
      ])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.of(data.length),
        data,
      ])
      return {
        ...named,
        response: {
          clientDataJSON: clientDataOf('webauthn.create', challenge, deviation).toString(
            'base64url',
          ),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    sign({ challenge }: { challenge: string }, deviation: Deviation = {}) {
      const clientData = clientDataOf('webauthn.get', challenge, deviation)
      const data = dataOf(deviation, 0)
      const { userHandle } = deviation
      const signed = Buffer.concat([data, sha256(clientData)])
      return {
        ...named,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      }
    },
  }
}

function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest()
}
