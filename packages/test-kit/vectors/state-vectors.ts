// Builds the published callback vectors: the query of a callback, the stored values of the tab, and
// the required result. Plain data, written by hand. Spec §2.2, §7; RFC 9207; security R05-R07, R12.

const ISSUER = 'https://chartside.example/app-auth'
const LAUNCH = 'lnch_vector'
const OTHER_ISSUER = '&iss=https%3A%2F%2Fissuer.invalid'
const CSRF = 'Kq0n3WzUuB2v7bRr9p5s8tXyZaCdEfGhIjKlMnOpQrS'
const MISSING = 'Missing OAuth parameters'
const FORGED = 'CSRF validation failed'

type Remembered = Readonly<Record<string, string>>

interface Vector {
  readonly name: string
  readonly requirement: string
  readonly query: string
  readonly remembered: Remembered
  readonly result:
    | { readonly code: string; readonly launch_id: string }
    | { readonly error: string }
  readonly remembered_after: Remembered
}

const OURS: Remembered = { [LAUNCH]: CSRF }

const query = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString()

const state = `${LAUNCH}:${CSRF}`

const refused =
  (requirement: string, error: string) =>
  (name: string, sent: Readonly<Record<string, string>>, remembered = OURS): Vector => ({
    name,
    requirement,
    query: query(sent),
    remembered,
    result: { error },
    remembered_after: remembered,
  })

const accepted = (
  requirement: string,
  name: string,
  sent: string,
  remembered = OURS,
  remembered_after: Remembered = {},
): Vector => ({
  name,
  requirement,
  query: sent,
  remembered,
  result: { code: 'code_1', launch_id: LAUNCH },
  remembered_after,
})

const missing = refused('R07', MISSING)
const forged = refused('R06', FORGED)
const issuer = refused('R12', 'issuer_mismatch')

/** RFC 6749 3.1: no parameter twice. Readers differ in which one they use. */
const DOUBLED = [
  ['a code twice, the valid one first', `${query({ code: 'code_1', state })}&code=code_2`],
  ['a code twice, the valid one last', `code=code_2&${query({ code: 'code_1', state })}`],
  ['the same code twice', `${query({ code: 'code_1', state })}&code=code_1`],
  ['a state twice', `${query({ code: 'code_1', state })}&state=${LAUNCH}:forged`],
  ['a state twice, the forged one first', `state=x&${query({ code: 'code_1', state })}`],
  ['an issuer twice', query({ code: 'code_1', state, iss: ISSUER }) + OTHER_ISSUER],
  ['an error twice, beside a code', `${query({ code: 'code_1', state })}&error=&error=`],
] as const

const doubled = (name: string, sent: string): Vector => ({ ...missing(name, {}), query: sent })

const vectors: readonly Vector[] = [
  accepted(
    'R05',
    'a valid callback, whose stored value is deleted',
    query({ code: 'code_1', state }),
  ),
  accepted(
    'R05',
    'a valid callback in another order',
    query({ state, iss: ISSUER, code: 'code_1' }),
  ),
  accepted(
    'R05',
    'a valid callback with an unencoded colon',
    `code=code_1&state=${LAUNCH}:${CSRF}`,
  ),
  accepted(
    'R05',
    'a random part with a colon: the first one separates',
    query({ code: 'code_1', state: `${LAUNCH}:a:b` }),
    { [LAUNCH]: 'a:b' },
  ),
  accepted(
    'R05',
    'a valid callback of one of two launches',
    query({ code: 'code_1', state }),
    { ...OURS, lnch_other: 'other' },
    { lnch_other: 'other' },
  ),
  accepted('R12', 'the expected issuer', query({ code: 'code_1', state, iss: ISSUER })),
  missing('no parameters at all', {}),
  missing('no code', { state }),
  missing('an empty code', { code: '', state }),
  missing('no state', { code: 'code_1' }),
  missing('an empty state', { code: 'code_1', state: '' }),
  missing('an error without state', { error: 'access_denied' }),
  ...DOUBLED.map(([what, sent]) => doubled(what, sent)),
  forged('a forged random part', { code: 'code_1', state: `${LAUNCH}:forged` }),
  forged('a random part that is one character short', {
    code: 'code_1',
    state: state.slice(0, -1),
  }),
  forged('a random part that is one character long', { code: 'code_1', state: `${state}x` }),
  forged('a random part in other case', {
    code: 'code_1',
    state: `${LAUNCH}:${CSRF.toLowerCase()}`,
  }),
  forged('an empty random part', { code: 'code_1', state: `${LAUNCH}:` }),
  forged('a state without a colon', { code: 'code_1', state: LAUNCH }),
  forged(
    'a state without a colon that equals a stored value',
    { code: 'code_1', state: 'abc' },
    { ab: 'abc' },
  ),
  forged('a state that begins with the colon', { code: 'code_1', state: `:${CSRF}` }),
  forged('the random part alone', { code: 'code_1', state: CSRF }),
  forged('a launch that this tab does not know', { code: 'code_1', state: `lnch_other:${CSRF}` }),
  forged('a callback of another tab, or one used before', { code: 'code_1', state }, {}),
  forged(
    'the random part of another launch',
    { code: 'code_1', state: `lnch_b:${CSRF}` },
    { ...OURS, lnch_b: 'b' },
  ),
  forged('a launch id that every object inherits', {
    code: 'code_1',
    state: '__proto__:[object Object]',
  }),
  forged('an error with a forged state', { error: 'access_denied', state: `${LAUNCH}:forged` }),
  {
    ...issuer('an issuer with one slash more', { code: 'code_1', state, iss: `${ISSUER}/` }),
    remembered_after: {},
  },
  {
    ...issuer('another issuer', { code: 'code_1', state, iss: 'https://issuer.invalid' }),
    remembered_after: {},
  },
  { ...issuer('an empty issuer', { code: 'code_1', state, iss: '' }), remembered_after: {} },
]

export const buildStateVectors = () => ({
  about:
    'Callbacks that an app must accept or reject before it makes any request. The README of the package says how to run them.',
  issuer: ISSUER,
  vectors,
})
