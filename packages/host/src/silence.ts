// What to check when a frame stays silent. A page that redirects, refuses framing or lacks the
// SDK shows as blank; how far its launch came says which of these is likely. Design: interop,
// "in the frame".
import type { LaunchApp, LaunchState } from '@chartside/protocol/launch'

export function explainSilence(
  app: LaunchApp,
  state: LaunchState,
  hostOrigin: string,
  afterMs: number,
): string {
  const silence = `${app.name} has not said hello after ${afterMs / 1000} s.`
  const framing = `its pages may be framed (no X-Frame-Options; a frame-ancestors directive must list ${hostOrigin})`
  if (state === 'opened') {
    return (
      `${silence} It never asked for authorization. Check that the app is running; that ${framing}; ` +
      'that no sign-in or deployment-protection page redirects it.'
    )
  }
  if (state === 'authorized') {
    return (
      `${silence} It received its code but did not exchange it. Check that its redirect URI page ` +
      `loads and that ${framing}; that its server reaches the token endpoint.`
    )
  }
  return (
    `${silence} It holds a token but never called initServiceSDK. Check that its script-src allows ` +
    'the SDK script, that the script loads, and that no error stops the page before the call.'
  )
}
