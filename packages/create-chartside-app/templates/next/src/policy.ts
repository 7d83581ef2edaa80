// The headers of the app's pages: the policy with the nonce of one request, under which only scripts
// and styles of this app and the SDK run. Pure. Spec §5.5; Content Security Policy Level 3.
import { randomBytes } from 'node:crypto'
import { buildContentSecurityPolicy, buildSecurityHeaders } from '@chartside/app-kit/server'
import type { Settings } from './settings.ts'

type PolicySettings = Pick<Settings, 'baseUrl' | 'frameAncestors'>

export const buildPageHeaders = (
  { baseUrl, frameAncestors }: PolicySettings,
  nonce?: string,
): Record<string, string> =>
  buildSecurityHeaders(
    buildContentSecurityPolicy({
      sdkUrl: baseUrl,
      hostOrigins: frameAncestors,
      ...(nonce === undefined ? {} : { nonce }),
    }),
  )

/** 128 random bits. */
export const mintNonce = (): string => randomBytes(16).toString('base64')
