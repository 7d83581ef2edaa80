// Files that a build left in a folder of this repository or of the package, listed in its `bundle.json` and each
// also compressed with Brotli. The list is read at first use, not at start, and files are served from disk,
// so that they take no memory of a node. Security H01.
import { createReadStream, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PageCall, Reply } from './call.ts'

interface Bundle {
  /** The media type of each file by its name. */
  readonly files: Readonly<Record<string, string>>
}

export interface BuiltFiles<B extends Bundle> {
  /** @throws Error when the folder is not built */
  load(): B
  /** Returns undefined for a name that the bundle does not have. */
  reply(name: string, call: PageCall, headers: Readonly<Record<string, string>>): Reply | undefined
}

/** A name of these files has a hash of its content. */
export const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' } as const

/** The headers of a page that runs its own files only, and makes no markup from strings. */
export const BUILT_PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const

export function builtFiles<B extends Bundle>(folder: URL): BuiltFiles<B> {
  let bundle: B | undefined
  const load = (): B => {
    bundle ??= JSON.parse(readFileSync(new URL('bundle.json', folder), 'utf8')) as B
    return bundle
  }
  return {
    load,
    reply(name, { encodings }, headers) {
      const { files } = load()
      const type = Object.hasOwn(files, name) ? files[name] : undefined
      if (type === undefined) return undefined
      const path = fileURLToPath(new URL(name, folder))
      // A build compresses no image again.
      const isCompressed = /\bbr\b/.test(encodings) && !type.startsWith('image/')
      return {
        status: 200,
        headers: {
          'content-type': type,
          'cross-origin-resource-policy': 'same-origin',
          vary: 'accept-encoding',
          ...(isCompressed ? { 'content-encoding': 'br' } : {}),
          ...headers,
        },
        body: createReadStream(isCompressed ? `${path}.br` : path),
      }
    },
  }
}
