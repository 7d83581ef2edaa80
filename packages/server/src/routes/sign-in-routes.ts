// The routes of signing in with a browser: the pages, and where a client without cookies collects the
// token. Contract §3.
import { lazily, openRoute, pageRoute, type Route } from '../http/route.ts'
import { collectToken } from '../sign-in/token-delivery-http.ts'
import { PENDING, SIGNED_IN } from './answers.ts'

const PAGE = 'HTML'

export const SIGN_IN_ROUTES: readonly Route[] = [
  openRoute({
    method: 'GET',
    path: '/auth/token/:sessionId',
    operation: 'collectToken',
    summary: 'Collect the session token, once; the verifier is the Bearer value.',
    answers: { 200: SIGNED_IN, 202: PENDING },
    errors: ['used_already', 'rate_limited'],
    handle: collectToken,
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/sign-in',
    operation: 'showSignInPage',
    summary: 'The sign-in page of a client that waits.',
    answers: { 200: PAGE },
    handle: lazily(() => import('../sign-in/sign-in-page-http.ts'), 'showSignInPage'),
  }),
  pageRoute({
    method: 'POST',
    path: '/auth/sign-in/password',
    operation: 'signInWithPassword',
    summary: 'Form of the sign-in page.',
    answers: { 303: 'To the next step' },
    handle: lazily(() => import('../sign-in/sign-in-page-http.ts'), 'signInWithPassword'),
  }),
  pageRoute({
    method: 'POST',
    path: '/auth/sign-in/passkey',
    operation: 'signInWithPasskey',
    summary: 'Form of the sign-in page.',
    answers: { 303: 'To the next step' },
    handle: lazily(() => import('../sign-in/passkey-http.ts'), 'signInWithPasskey'),
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/sign-in/provider',
    operation: 'goToProvider',
    summary: 'To the OpenID Connect provider.',
    answers: { 303: 'To the provider' },
    handle: lazily(() => import('../sign-in/provider-http.ts'), 'goToProvider'),
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/callback',
    operation: 'comeBack',
    summary: 'Back from the OpenID Connect provider.',
    answers: { 200: PAGE, 303: 'To the next step' },
    handle: lazily(() => import('../sign-in/provider-http.ts'), 'comeBack'),
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/passkey.mjs',
    operation: 'passkeyScript',
    summary: 'The script of the passkey forms.',
    answers: { 200: 'JavaScript' },
    handle: lazily(() => import('../sign-in/passkey-script-http.ts'), 'showPasskeyScript'),
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/sign-in/second-factor',
    operation: 'showSecondFactorPage',
    summary: 'Asks for a code of the second factor.',
    answers: { 200: PAGE },
    handle: lazily(() => import('../sign-in/second-factor-page-http.ts'), 'showSecondFactorPage'),
  }),
  pageRoute({
    method: 'POST',
    path: '/auth/sign-in/second-factor',
    operation: 'sendCode',
    summary: 'Form of the page before.',
    answers: { 303: 'To the next step' },
    handle: lazily(() => import('../sign-in/second-factor-page-http.ts'), 'sendCode'),
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/sign-in/approve',
    operation: 'showApproval',
    summary: 'Asks whether the client shows the same code.',
    answers: { 200: PAGE },
    handle: lazily(() => import('../sign-in/approval-http.ts'), 'showApproval'),
  }),
  pageRoute({
    method: 'POST',
    path: '/auth/sign-in/approve',
    operation: 'approve',
    summary: 'Lets the waiting client collect its token, or refuses.',
    answers: { 200: PAGE },
    handle: lazily(() => import('../sign-in/approval-http.ts'), 'approve'),
  }),
]
