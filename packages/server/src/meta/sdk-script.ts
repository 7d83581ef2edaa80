// The scripts of the in-page SDK as this installation serves them: the build of packages/sdk with the trusted
// host origins inserted, its immutable address and its Subresource Integrity hash. Contract §5, security H06.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { etagOf } from '../http/input/conditional.ts'

export const SDK_VERSION = '1.0.0'
const PLACEHOLDER = '"__CHARTSIDE_HOST_ORIGINS__"'

export interface ServedScript {
  readonly path: string
  readonly text: string
  readonly integrity: string
  readonly etag: string
}

/** The scripts are built once per set of origins; the build is read at first use, not at start. */
const served = new Map<string, ServedScript>()

export function loadScript(origins: readonly string[], file: 'sdk.js' | 'sdk.mjs'): ServedScript {
  const key = `${file} ${origins.join(' ')}`
  const known = served.get(key)
  if (known) return known
  const built = readFileSync(new URL(`../../../sdk/dist/${file}`, import.meta.url), 'utf8')
  if (!built.includes(PLACEHOLDER)) throw new Error(`${file} has no place for the host origins`)
  const text = built.replace(PLACEHOLDER, () => JSON.stringify(origins))
  const script = {
    path: `/sdk/${SDK_VERSION}-${hash('sha256', text, 'hex').slice(0, 12)}/${file}`,
    text,
    integrity: `sha384-${hash('sha384', text, 'base64')}`,
    etag: etagOf(text),
  }
  served.set(key, script)
  return script
}

/** @throws Error when the package of the SDK is not built */
export function requireSdk(hostOrigins: readonly string[]): void {
  loadScript(hostOrigins, 'sdk.js')
  loadScript(hostOrigins, 'sdk.mjs')
}
