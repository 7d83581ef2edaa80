// The page that a user has before them when they send a form: the cookie, the hidden fields and the step
// of each page of the sign-in, opened anew for each case. Steps that need a provider are begun in the
// database, as the page before would.
import { createHash, randomBytes } from 'node:crypto'
import {
  INTERACTION_PATHS,
  type PageKind,
  redirectToInteraction,
} from '../../packages/server/src/sign-in/interaction/interaction-pages.ts'
import { formTokenOf } from '../../packages/server/src/sign-in/interaction/pre-auth-session.ts'
import { redirectToEnrolment } from '../../packages/server/src/sign-in/password/enrolment-page-http.ts'
import { hiddenFields, testBrowser } from '../../packages/server/test/sign-in-browser.ts'
import type { TestService } from '../../packages/server/test/test-service.ts'

export interface Visitor {
  readonly userId: string
  readonly methodId: string
  readonly accountId: string
  /** The session token of an administrator of the account. */
  readonly admin: string
  readonly issuer: string
}

/** The question of each page that belongs to an interaction. */
const KINDS: Readonly<Record<string, PageKind>> = {
  showSecondFactorPage: 'second_factor',
  verifySecondFactor: 'second_factor',
  showEnrolment: 'enrolment',
  enrol: 'enrolment',
  showJoining: 'joining',
  joinAccounts: 'joining',
  showConsent: 'approval',
  approve: 'approval',
  showBinding: 'binding',
  bindAccount: 'binding',
}
const WITH_SIGN_IN_PAGE = new Set([
  'showSignInPage',
  'signInWithPassword',
  'signInWithPasskey',
  'redirectToProvider',
  'oidcCallback',
  'pollToken',
])
const WITH_INVITATION = new Set([
  'showInvitation',
  'setPassword',
  'addPasskey',
  ...['showBinding', 'bindAccount'],
])

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const cookieValueOf = (cookie: string | undefined) => cookie?.split('=')[1] ?? ''

export async function openPage(
  operation: string,
  node: TestService,
  visitor: Visitor,
): Promise<Record<string, string>> {
  const kind = KINDS[operation]
  if (WITH_INVITATION.has(operation)) {
    const invitation = await openInvitation(node, visitor)
    if (!kind) return invitation
    return { ...invitation, ...(await beginStep(kind, node, visitor, invitation)) }
  }
  if (kind) return beginStep(kind, node, visitor, {})
  return WITH_SIGN_IN_PAGE.has(operation) ? openSignInPage(operation, node, visitor) : {}
}

function flow() {
  const verifier = base64url(randomBytes(32))
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { sessionId: base64url(randomBytes(16)), challenge, verifier }
}

async function openSignInPage(operation: string, node: TestService, { issuer }: Visitor) {
  const { sessionId, challenge, verifier } = flow()
  const browser = testBrowser(node)
  const url = `/auth/sign-in?session_id=${sessionId}&challenge=${challenge}`
  const page = await browser.open(url)
  const passkey = page.html.match(/<form[^>]*passkey[\s\S]*?<\/form>/)?.[0] ?? ''
  const values: Record<string, string> = {
    'page.session_id': sessionId,
    'page.challenge': challenge,
    'page.form_token': hiddenFields(page.html).form_token ?? '',
    'page.step': hiddenFields(passkey).step ?? '',
    'page.issuer': issuer,
    'own.pollSession': sessionId,
    'own.pollVerifier': verifier,
  }
  if (operation === 'oidcCallback') {
    const left = await browser.open(
      `/auth/sign-in/provider?session_id=${sessionId}&challenge=${challenge}`,
    )
    values['page.state'] =
      new URL(String(left.headers.location), issuer).searchParams.get('state') ?? ''
  }
  return withCookie(values, browser.cookie)
}

async function openInvitation(node: TestService, { accountId, admin }: Visitor) {
  const answer = await node.server.inject({
    method: 'POST',
    url: `/api/accounts/${accountId}/members`,
    headers: { authorization: `Bearer ${admin}` },
    payload: {
      email: `${base64url(randomBytes(9))}@invited.example`,
      name: 'Invited',
      role: 'provider',
    },
  })
  const { invitationUrl = '' } = answer.json()
  const token = new URL(invitationUrl).searchParams.get('token') ?? ''
  const browser = testBrowser(node)
  const page = await browser.open(`/auth/invitation?token=${token}`)
  const passkey = page.html.match(/<form[^>]*passkey[\s\S]*?<\/form>/)?.[0] ?? ''
  const values = {
    'page.token': token,
    'page.form_token': hiddenFields(page.html).form_token ?? '',
    'page.step': hiddenFields(passkey).step ?? '',
    'page.invitation': String(answer.json().id ?? ''),
  }
  return withCookie(values, browser.cookie)
}

async function beginStep(
  kind: PageKind,
  { service, clock }: TestService,
  { userId, methodId }: Visitor,
  invitation: Readonly<Record<string, string>>,
) {
  const { sessionId, challenge } = flow()
  const intent = {
    for: 'client',
    sessionHash: createHash('sha256').update(sessionId).digest('base64url'),
    challenge,
  } as const
  const authenticated = { intent, userId, methodId }
  const reply =
    kind === 'enrolment'
      ? await redirectToEnrolment(service, authenticated, clock())
      : kind === 'binding'
        ? await redirectToInteraction(
            service,
            kind,
            {
              invitationId: invitation['page.invitation'] ?? '',
              subject: 'fuzz',
              label: 'fuzz',
              address: 'a@b.example',
            },
            clock(),
          )
        : await redirectToInteraction(service, kind, authenticated, clock())
  const { location = '', 'set-cookie': setCookie = '' } = reply.headers ?? {}
  const cookie = setCookie.split(';')[0]
  const values = {
    'page.step': new URL(location).searchParams.get('step') ?? '',
    'page.form_token': formTokenOf({ secret: cookieValueOf(cookie) }),
    'page.path': INTERACTION_PATHS[kind],
  }
  return withCookie(values, cookie)
}

const withCookie = (values: Record<string, string>, cookie: string | undefined) => ({
  ...values,
  'page.cookie': cookie ?? '',
  'page.cookieValue': cookieValueOf(cookie),
})
