// RSA keys for tests to which the making of a key is not the point: making one costs 50 ms of a
// processor, and every start of the service needs one. They are made once for each checkout and kept
// beside the installed packages; services that start after each other get different ones.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MODULUS_BITS } from '../src/keys/signing-key.ts'

const PLACE = fileURLToPath(
  new URL('../../../node_modules/.cache/chartside/test-keys.json', import.meta.url),
)
const COUNT = 24

let keys: readonly KeyObject[] | undefined
let given = 0

/** Never the same twice within `COUNT` calls of one process. */
export function nextRsaKey(): KeyObject {
  keys ??= loadKeys() ?? makeKeys()
  const key = keys[given++ % COUNT]
  if (!key) throw new Error('There are no test keys.')
  return key
}

/** Undefined when there are none yet, or the file is not whole. */
function loadKeys(): KeyObject[] | undefined {
  try {
    const texts: string[] = JSON.parse(readFileSync(PLACE, 'utf8'))
    return texts.length === COUNT ? texts.map((text) => createPrivateKey(text)) : undefined
  } catch {
    return undefined
  }
}

/** Two processes may do so at the same time: the file of the later one stays. */
function makeKeys(): KeyObject[] {
  const made = Array.from(
    { length: COUNT },
    () => generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS }).privateKey,
  )
  mkdirSync(dirname(PLACE), { recursive: true })
  const whole = `${PLACE}.${randomUUID()}`
  const texts = made.map((key) => key.export({ format: 'pem', type: 'pkcs8' }))
  writeFileSync(whole, JSON.stringify(texts), { mode: 0o600 })
  renameSync(whole, PLACE)
  return made
}
