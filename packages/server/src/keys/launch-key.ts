// The key from which launch_ids are derived (docs/inside/decisions/0004): HMAC-SHA-256 of two one-shot hashes
// with precomputed padded keys, because an Hmac object costs four times as much and every launch and
// every exchange needs one. RFC 2104.
import { hash } from 'node:crypto'

const BLOCK_BYTES = 64

export interface LaunchKey {
  /** Returns the HMAC-SHA-256 of the text; 32 bytes. */
  mac(text: string): Buffer
}

/** Builds the key from `secret`, 32 random bytes. */
export function launchKeyFrom(secret: Buffer): LaunchKey {
  if (secret.length > BLOCK_BYTES) throw new RangeError('a key longer than a block is hashed first')
  const pad = (filler: number) => {
    const block = Buffer.alloc(BLOCK_BYTES, filler)
    for (const [i, byte] of secret.entries()) block[i] = byte ^ filler
    return block
  }
  const [inner, outer] = [pad(0x36), pad(0x5c)]
  return {
    mac(text) {
      const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
      return hash('sha256', Buffer.concat([outer, digest]), 'buffer')
    },
  }
}
