// The callback page, in the order of the story: check the answer of authorize, take the code out of
// the address, let the app's server exchange it, start the SDK, show the app. Keeps every token in
// memory only. Spec §2.2, §5.1, §5.6, §7; security H02, H05, R05-R07.
import { showApp, showEnded } from './app-view.ts'
import { type ErrorView, showError, ViewError } from './error-view.ts'
import { loadSdk } from './sdk.ts'
import { AppSession } from './session.ts'
import { redeemState } from './state.ts'

void openApp().catch((error: unknown) => showError(describe(error)))

async function openApp(): Promise<void> {
  const code = takeCode()
  const [{ session, accessToken, idToken }, chartside] = await Promise.all([
    AppSession.start(code),
    loadSdk(),
  ])
  const sdk = await chartside.initServiceSDK({ accessToken, idToken })
  sdk.on('ended', () => {
    void session.end().catch(() => undefined)
    showEnded()
  })
  await showApp(session, sdk)
}

/** The code of this callback, after every check; the address no longer holds it. */
function takeCode(): string {
  const parameters = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  const code = parameters.get('code')
  const state = parameters.get('state')
  const error = parameters.get('error')
  if ((!code && !error) || !state) {
    throw new ViewError({
      error: 'missing_oauth_parameters',
      cause: 'Missing OAuth parameters',
      fix: 'Launch the app again. A reloaded page has no code any more: a code works once.',
    })
  }
  const { issuer } = document.body.dataset
  if (!redeemState(state, sessionStorage) || (parameters.get('iss') ?? issuer) !== issuer) {
    throw new ViewError({
      error: 'csrf_validation_failed',
      cause: 'CSRF validation failed',
      fix: 'Launch the app again from the panel. Do not follow a callback address from elsewhere.',
    })
  }
  if (code && !error) return code
  // The service ends its description with the trace id of the refusal.
  const description = parameters.get('error_description') ?? 'The launch was not authorized.'
  const [, cause = description, trace] = /^(.*\S)\s*\(trace (\w+)\)$/.exec(description) ?? []
  throw new ViewError({
    error: error ?? 'missing_oauth_parameters',
    cause,
    fix: 'Launch the app again from the panel: a launch can be used once, and only while it is live.',
    ...(trace ? { trace_id: trace } : {}),
  })
}

const SDK_FIXES: Readonly<Record<string, string>> = {
  HOST_NOT_FOUND: 'Open the app from the panel beside the chart, not in a tab of its own.',
  HANDSHAKE_TIMEOUT: 'Check that the origin of this app is registered, then launch it again.',
  PROTOCOL_MISMATCH: 'Update the extension, or this app, so that both speak the same version.',
}

function describe(error: unknown): ErrorView {
  if (error instanceof ViewError) return error.view
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected_error'
  return {
    error: code,
    cause: error instanceof Error ? error.message : 'Something unexpected happened.',
    fix: SDK_FIXES[code] ?? 'Launch the app again from the panel.',
  }
}
