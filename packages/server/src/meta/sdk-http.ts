// Serves the in-page SDK, with the trusted host origins of this installation inserted: at an immutable
// address with version and content hash, at the stable address of its major version, and by a
// manifest with the immutable address, its Subresource Integrity hash and those origins.
// Contract §5, spec §5.5, security H06.

import type { HasConfig } from '../config/config.ts'
import type { Answer, OAuthCall, TextReply } from '../http/call.ts'
import { hasAlready } from '../http/input/conditional.ts'
import { OAuthError } from '../kernel/errors.ts'
import type { SDK_MANIFEST } from './meta-schema.ts'
import { loadScript, SDK_VERSION, type ServedScript } from './sdk-script.ts'

/** `/sdk/v1/sdk.js` is the newest 1.x. The package's loader asks for it. */
const MAJOR = `v${SDK_VERSION.split('.')[0]}`

export async function showSdkManifest({
  config,
}: HasConfig): Promise<Answer<200, typeof SDK_MANIFEST>> {
  const classic = loadScript(config.hostOrigins, 'sdk.js')
  const module = loadScript(config.hostOrigins, 'sdk.mjs')
  return {
    status: 200,
    headers: { 'cache-control': 'public, max-age=300' },
    body: {
      version: SDK_VERSION,
      url: config.baseUrl + classic.path,
      moduleUrl: config.baseUrl + module.path,
      integrity: classic.integrity,
      moduleIntegrity: module.integrity,
      hostOrigins: config.hostOrigins,
    },
  }
}

export async function showSdkScript({ config }: HasConfig, call: OAuthCall): Promise<TextReply> {
  const file = call.params.file === 'sdk.mjs' ? 'sdk.mjs' : 'sdk.js'
  const script = loadScript(config.hostOrigins, file)
  if (call.params.version === MAJOR && call.params.file === file) return newest(script, call)
  if (script.path !== `/sdk/${call.params.version}/${call.params.file}`) {
    const message = `No such SDK script. Read the current address from ${config.baseUrl}/sdk/manifest.json`
    throw new OAuthError('invalid_request', message, { status: 404 })
  }
  const cacheControl = 'public, max-age=31536000, immutable'
  return { status: 200, headers: scriptHeaders(cacheControl), body: script.text }
}

/** The address of the newest script: cached for minutes, then revalidated. */
function newest({ text, etag }: ServedScript, call: OAuthCall): TextReply {
  const headers = { ...scriptHeaders('public, max-age=300'), etag }
  return hasAlready(call.ifNoneMatch, etag)
    ? { status: 304, headers }
    : { status: 200, headers, body: text }
}

const scriptHeaders = (cacheControl: string) => ({
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': cacheControl,
  'cross-origin-resource-policy': 'cross-origin',
})
