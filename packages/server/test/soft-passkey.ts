// An authenticator in software: makes passkeys, and signs what a test wants said, so that it can send
// what no honest one would. Owns no expectation. WebAuthn Level 3, sections 6.1 and 6.5.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const PRESENT = 1
const VERIFIED = 4
const HAS_KEY = 64

/** What an answer says; a test changes one of them. */
export interface Said {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  readonly userHandle: string
  readonly counter: number
  readonly isVerified: boolean
  readonly type: string
}

export interface SoftPasskey {
  readonly id: string
  register(said: Said): string
  assert(said: Said): string
}

export function softPasskey(): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credential = randomBytes(16)
  const id = credential.toString('base64url')
  const part = (text: string) => Buffer.from(text, 'base64url')
  const hex = (text: string) => Buffer.from(text, 'hex')
  // COSE: EC2, ES256, P-256, x, y.
  const key = Buffer.concat([hex('a5010203262001215820'), part(x), hex('225820'), part(y)])

  const signedData = ({ rpId, counter, isVerified }: Said, attested?: Buffer) => {
    const head = Buffer.alloc(5)
    head[0] = PRESENT | (isVerified ? VERIFIED : 0) | (attested ? HAS_KEY : 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, ...(attested ? [attested] : [])])
  }
  const clientData = ({ type, challenge, origin }: Said) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: object) =>
    JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })

  return {
    id,
    register(said) {
      const size = Buffer.from([0, credential.length])
      const data = signedData(said, Buffer.concat([Buffer.alloc(16), size, credential, key]))
      // CBOR: {fmt: 'none', attStmt: {}, authData}.
      const text = (value: string) =>
        Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
      const attestation = Buffer.concat([
        ...[hex('a3'), text('fmt'), text('none'), text('attStmt'), hex('a0'), text('authData')],
        ...[Buffer.from([0x58, data.length]), data],
      ])
      return answer({
        clientDataJSON: clientData(said).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    assert(said) {
      const data = signedData(said)
      const client = clientData(said)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: said.userHandle,
      })
    },
  }
}
