// What to check when a frame sends no hello in time. A page that redirects, refuses framing or
// lacks the SDK looks blank. The step that failed, or else the last step, tells the likely cause.
// Contract §5.
import type { Launch, LaunchApp, LaunchStep, LaunchStepName } from '@chartside/protocol/launch'
import { findMissingStep } from './missing-step.ts'

export interface Advice {
  /** The one that failed, or else the first that did not happen. */
  readonly step: LaunchStepName
  /** The likely cause. */
  readonly message: string
  readonly fix: string
}

export interface SeenLaunch extends Pick<Launch, 'state' | 'steps'> {
  /** An origin that is not the app's, and sent a message of the handshake from its frame. */
  readonly foreignOrigin: string | null
  /** The service has visited the page, and found nothing that is wrong. */
  readonly isPageFine: boolean
  /** The service visits the page, which has not answered yet. */
  readonly isPageLate: boolean
}

export function explainTimeout(
  app: LaunchApp,
  view: SeenLaunch,
  hostOrigin: string,
  afterMs: number,
): Advice {
  const since = view.state === 'opened' ? '' : ' of its last step'
  const timeout = `${app.name} has not said hello within ${afterMs / 1000} s${since}.`
  const framing = `its pages may be framed (no X-Frame-Options; a frame-ancestors directive must list ${hostOrigin})`
  const checked = 'The service reaches its page, which may be framed.'
  const failed = findFailed(view.steps)
  if (failed) {
    const { step, code = 'no code', cause = '', fix = '' } = failed
    return { step, message: `${timeout} Its step "${step}" failed (${code}). ${cause}`.trim(), fix }
  }
  const step = findMissingStep(view.steps)
  if (view.foreignOrigin !== null) {
    const { foreignOrigin: origin } = view
    return {
      step,
      message: `${timeout} Its page is on ${origin}, which is not an origin of the app, so the host answers it nothing.`,
      fix:
        origin === 'null'
          ? "Take the directive sandbox out of the page's Content-Security-Policy, or add allow-same-origin to it."
          : `Add ${origin} to the allowed iframe URLs of the app, then launch again.`,
    }
  }
  if (view.isPageLate) {
    return {
      step,
      message: `${timeout} Its page has not answered the service either: the server of the app is slow.`,
      fix: 'Find what the page waits for. The launch goes on once it comes.',
    }
  }
  if (view.state === 'opened') {
    return {
      step,
      message: `${timeout} It never asked for authorization.`,
      fix:
        (view.isPageFine
          ? `${checked} Check `
          : `Check that the app is running; that ${framing}; `) +
        'that no sign-in or deployment-protection page redirects it; ' +
        'that it sends the browser to authorization_endpoint of discovery, with its scheme, host and port.',
    }
  }
  if (view.state === 'authorized' && view.isPageFine) {
    return {
      step,
      message: `${timeout} Its page has received the code, and its server has not exchanged it.`,
      fix: `${checked} Check that the page sends the code to its server; the log of the server says whether it reaches token_endpoint of discovery, and what it waits for.`,
    }
  }
  if (view.state === 'authorized') {
    return {
      step,
      message:
        `${timeout} It received its code, which was not exchanged. Likely causes: its server could ` +
        'not exchange it (wrong token URL, service unreachable, slow); its redirect URI page does ' +
        'not load, or may not be framed.',
      fix: `Check the log of its server; that ${framing}.`,
    }
  }
  return {
    step,
    message: `${timeout} It holds a token, but its frame did not call initServiceSDK.`,
    fix: view.isPageFine
      ? 'Its policy allows the SDK script. Look at the console of the page: whether the script loads, and ' +
        'which error stops the page before the call.'
      : 'Check that its script-src allows the SDK script, that the script loads, that no error stops ' +
        'the page before the call, and that the app stays in its frame.',
  }
}

/** The last step, if it failed; `opened` is the host's own and may arrive late. */
function findFailed(steps: readonly LaunchStep[]): LaunchStep | undefined {
  const last = steps.findLast(({ step }) => step !== 'opened')
  return last?.outcome === 'failed' ? last : undefined
}
