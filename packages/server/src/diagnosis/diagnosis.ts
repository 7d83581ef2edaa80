// Decides which page of an app to visit for a silent launch, and which finding of that visit explains the
// silence. Pure. Decision 70, docs/build/preflight.md.
import type { App } from '../apps/app.ts'
import type { Launch } from '../launches/launch.ts'
import type { Finding, FindingCode } from '../preflight/finding.ts'

export interface SilentPage {
  readonly url: string
  /** The SDK runs on a redirect URI, and not on a Launch URL. */
  readonly runsSdk: boolean
}

/** The page that the browser was sent to last; undefined for a launch that said hello or is over. */
export function choosePage(
  app: Pick<App, 'launchUrl' | 'workerLaunchUrl' | 'redirectUris'>,
  launch: Pick<
    Launch,
    'kind' | 'authorizedAt' | 'handshakeAt' | 'contextAt' | 'endedAt' | 'redirectUri'
  >,
): SilentPage | undefined {
  if ([launch.handshakeAt, launch.contextAt, launch.endedAt].some((at) => at !== undefined)) {
    return undefined
  }
  if (launch.authorizedAt === undefined) {
    const url = launch.kind === 'ui' ? app.launchUrl : app.workerLaunchUrl
    return url === undefined ? undefined : { url, runsSdk: false }
  }
  const url = app.redirectUris.find((registered) => registered === launch.redirectUri)
  return url === undefined ? undefined : { url, runsSdk: true }
}

/** These checks say nothing of the silence of a page that opens. */
const OTHER_CHECKS: readonly Finding['check'][] = ['cookies', 'time', 'logout']

/**
 * The finding that keeps the page from going on. A page that has not begun the launch may be another one than
 * the launch needs, also where it answers with an error. A server whose page is silent once it has the token may
 * have refused the ID token by its clock. A page that leaves the app's own origins is an obstacle too, unless an
 * identity provider signs the user in.
 */
export function findObstacle(
  findings: readonly Finding[],
  { exchange }: Pick<App, 'exchange'>,
  { authorizedAt, tokenExpiresAt }: Pick<Launch, 'authorizedAt' | 'tokenExpiresAt'>,
): Finding | undefined {
  const find = (...codes: readonly FindingCode[]) =>
    findings.find(({ code }) => codes.includes(code))
  return (
    (authorizedAt === undefined ? find('smart_page', 'sign_in_page') : undefined) ??
    findings.find(({ check, outcome }) => outcome === 'failed' && !OTHER_CHECKS.includes(check)) ??
    (tokenExpiresAt === undefined ? undefined : find('clock_wrong')) ??
    (exchange === 'identity_provider' ? undefined : find('redirects_to_other_origin'))
  )
}

/** Describes what was found as one sentence more: what is missing, or else what was seen. */
export function describeFinding({ cause, missing, seen }: Finding): string {
  if (missing !== undefined) return `${cause} Missing: ${missing}.`
  return seen === undefined ? cause : `${cause} Seen: ${seen}.`
}
