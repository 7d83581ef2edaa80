// The fields of every page and form of the sign-in pages. They have no schema in the route table, because
// a page answers every fault with a page; so a new page needs a row here, and a test says so.
import fc from 'fast-check'
import { MARK } from './hostile-values.ts'

const PASSWORD = 'a few words, well chosen'

/** `page.*` is what the page before holds; world.ts opens it for each case. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  showSignInPage: {
    session_id: ['{{page.session_id}}', MARK.repeat(5)],
    challenge: ['{{page.challenge}}', MARK],
  },
  signInWithPassword: {
    session_id: ['{{page.session_id}}'],
    challenge: ['{{page.challenge}}'],
    form_token: ['{{page.form_token}}'],
    email: ['{{own.email}}', `${MARK}@fuzz.example`],
    password: [PASSWORD, MARK],
  },
  signInWithPasskey: {
    session_id: ['{{page.session_id}}'],
    challenge: ['{{page.challenge}}'],
    form_token: ['{{page.form_token}}'],
    step: ['{{page.step}}'],
    response: ['{{page.assertion}}', '{}', '{"id":"x","response":{}}', MARK],
  },
  redirectToProvider: {
    session_id: ['{{page.session_id}}'],
    challenge: ['{{page.challenge}}'],
    token: ['{{page.token}}'],
  },
  oidcCallback: {
    state: ['{{page.state}}', MARK],
    code: [MARK, '{{page.providerCode}}'],
    iss: ['{{page.issuer}}', `https://${MARK}.example`],
    error: ['access_denied', MARK],
  },
  accountProviderCallback: { state: ['{{page.state}}', MARK], code: [MARK], iss: [MARK] },
  showPracticePage: {
    session_id: ['{{page.session_id}}'],
    challenge: ['{{page.challenge}}'],
    practice: ['lakeside', MARK],
  },
  showPageScript: {},
  showHome: {},
  showConsole: {},
  showConsolePage: {},
  showConsoleFile: {},
  showDocs: {},
  showDocsPage: {},
  showSecondFactorPage: { step: ['{{page.step}}', MARK] },
  verifySecondFactor: {
    step: ['{{page.step}}'],
    form_token: ['{{page.form_token}}'],
    code: ['{{own.totp}}', '000000', MARK],
  },
  showEnrolment: { step: ['{{page.step}}', MARK] },
  enrol: {
    step: ['{{page.step}}'],
    form_token: ['{{page.form_token}}'],
    code: ['{{page.totp}}', '000000', MARK],
  },
  showJoining: { step: ['{{page.step}}', MARK] },
  joinAccounts: {
    step: ['{{page.step}}'],
    form_token: ['{{page.form_token}}'],
    [`join_${MARK}`]: ['yes'],
  },
  showConsent: { step: ['{{page.step}}', MARK] },
  approve: {
    step: ['{{page.step}}'],
    form_token: ['{{page.form_token}}'],
    answer: ['yes', 'no', MARK],
  },
  showInvitation: { token: ['{{page.token}}', MARK] },
  setPassword: {
    token: ['{{page.token}}'],
    form_token: ['{{page.form_token}}'],
    password: [PASSWORD, 'short', MARK.repeat(20)],
  },
  addPasskey: {
    token: ['{{page.token}}'],
    form_token: ['{{page.form_token}}'],
    step: ['{{page.step}}'],
    response: ['{{page.attestation}}', '{}', `{"id":"${MARK}"}`],
  },
  showBinding: { step: ['{{page.step}}', MARK] },
  bindAccount: {
    step: ['{{page.step}}'],
    form_token: ['{{page.form_token}}'],
    answer: ['yes', 'no'],
  },
}

export const hasFields = (operation: string): boolean => Object.hasOwn(FIELDS, operation)

export function formFields(
  operation: string,
): fc.Arbitrary<readonly (readonly [name: string, value: string])[]> {
  const fields = Object.entries(FIELDS[operation] ?? {})
  return fc.tuple(
    ...fields.map(([name, values]) =>
      fc.constantFrom(...values).map((value) => [name, value] as const),
    ),
  )
}
