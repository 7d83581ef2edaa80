// The routes of signing in with a browser: the pages, and where a client without cookies collects the
// token. Contract §3.
import { openRoute, pageRoute, type Route } from '../http/route.ts'
import { approve, showApproval } from '../sign-in/approval-http.ts'
import { showSignInPage, signInWithPassword } from '../sign-in/sign-in-page-http.ts'
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
    handle: collectToken,
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/sign-in',
    operation: 'showSignInPage',
    summary: 'The sign-in page of a client that waits.',
    answers: { 200: PAGE },
    handle: showSignInPage,
  }),
  pageRoute({
    method: 'POST',
    path: '/auth/sign-in/password',
    operation: 'signInWithPassword',
    summary: 'Form of the sign-in page.',
    answers: { 303: 'To the next step' },
    handle: signInWithPassword,
  }),
  pageRoute({
    method: 'GET',
    path: '/auth/sign-in/approve',
    operation: 'showApproval',
    summary: 'Asks whether the client shows the same code.',
    answers: { 200: PAGE },
    handle: showApproval,
  }),
  pageRoute({
    method: 'POST',
    path: '/auth/sign-in/approve',
    operation: 'approve',
    summary: 'Lets the waiting client collect its token, or refuses.',
    answers: { 200: PAGE },
    handle: approve,
  }),
]
