// The attacks that worked on an earlier edition, by the item of the work that mended them: what each did
// then, as it was measured, what it does now, and the test that holds it. docs/security.md shows them.

export interface MendedAttack {
  readonly item: string
  readonly attack: string
  readonly before: string
  readonly after: string
  /** The title of the test, with its ids. */
  readonly test: string
}

const row = (
  item: string,
  attack: string,
  before: string,
  after: string,
  test: string,
): MendedAttack => ({ item, attack, before, after, test })

/** Load of one caller; what all other callers notices is measured by `npm run faults`. */
const LOAD: readonly MendedAttack[] = [
  row(
    '1a',
    'a sign-in with 33,000 member names',
    'p50 of all others 2 → 332 ms',
    '413 beyond 4 KB, counted before it is read',
    'refuses bodies without a sign-in before they are read, beyond a number [V01]',
  ),
  row(
    '1b',
    'lists of fat versions, read slowly',
    'health 34 s, memory 265 → 3,516 MB',
    'lists without content, 1 MB a page, unread answers cut after 30 s',
    'lists versions and collections without content, however fat they are [V02]',
  ),
  row(
    '1c',
    '70,000 secrets on one app',
    'p50 of all others 2 → 216 ms',
    '409 for the 21st live secret',
    'refuses the secret that is one too many, also when many are made at once [V03]',
  ),
  row(
    '1d',
    '1,500 event streams of one provider',
    'p50 of all others 3 → 143 ms',
    '8 of a session and 64 of a user; one read of each change',
    'refuses more streams than a session may have, until one is closed [V03]',
  ),
  row(
    '1e',
    'authorize far over its limit',
    'p50 of all others 2 → 503 ms; 6 of 15 answered 503; 64,771 log lines',
    'a lane of two slots, one log line a minute',
    'keeps the slots of others free while one caller floods authorize [V05]',
  ),
  row(
    '1f',
    '3,000 authorizes of one launch without a credential',
    'all answered, 3,001 events kept for ever',
    'twenty of a launch, then refused',
    'authorizes a launch 20 times and no more, also in parallel',
  ),
  row(
    '1b',
    '2,000 requests for the OpenAPI document that are not read (found by the fault run)',
    'p50 of all others 4 → 4,172 ms',
    'written once, then sent as it is: p50 12 ms',
    'writes the OpenAPI document as text once, not for each caller [V02]',
  ),
]

const OTHERS: readonly MendedAttack[] = [
  row(
    '2',
    'an event stream after the sign-out of its reader',
    'went on for 17 s; a demoted administrator’s for 12 h',
    'asked again before each event and at each tick',
    'shows a stream no event after the sign-out of its reader [V04]',
  ),
  row(
    '3',
    'a leaked reset link after the person changed the password',
    'took the account over for 24 h',
    'every credential link is revoked',
    'revokes a leaked reset link when its person changes the password [V06]',
  ),
  row(
    '3',
    'inviting to see who exists and since when',
    'the identifier had the time of the first invitation',
    'one answer for all',
    'invites a known, a disabled and an unknown address alike [V10]',
  ),
  row(
    '4',
    'an account that merely typed a person’s address',
    'had them as a member after their first provider sign-in',
    'the person is asked for each account',
    'joins no account that merely entered the address [V07]',
  ),
  row(
    '5',
    'refusals hidden by 31 harmless ones',
    'no event in the trails of the victims',
    'counted for each caller and trail; what is left out is an event',
    'noise in the own trail hides no refusal in the trail of a victim [V08]',
  ),
  row(
    '5',
    'a changed export of the trail',
    '“whole” with added members and doubled names',
    'compared byte for byte',
    'detects added members, doubled names and the head of another account [V09]',
  ),
  row(
    '5',
    'reading while no event can be stored',
    'answered, without a trace',
    '503 until the event can be stored',
    'refuses a read of other people whose audit event cannot be stored [P06]',
  ),
  row(
    '6',
    'names of 240 KB in a body, and a secret as a name',
    '4.8 MB of log from 20 requests, the secret in it',
    'no name of a caller in the log',
    'logs no name that a caller typed, and no long one [V11]',
  ),
  row(
    '6',
    'a doubled JSON name that is a secret (found by the fuzzer)',
    'in the log, 40 characters of it',
    'in the answer only',
    'names a repeated member in the answer only, never in the log [V11]',
  ),
  row(
    '6',
    'an app’s name with control characters',
    'cleared the operator’s terminal',
    'shown, not sent',
    'shows control characters of a name in place of sending them [V11]',
  ),
  row(
    '7',
    'verifiers in the field at a rotation of the key',
    'some refused good tokens',
    'a standby key is in every cache before it signs',
    'no library fails at a rotation; a standby key is in every cache [J06, J07]',
  ),
  row(
    '8',
    'what the HTTP parser refuses',
    'a shape of the library, without a trace id',
    'our own shape, with the trace id of a log line',
    'answers a malformed request to /app-auth as an OAuth error [T07]',
  ),
  row(
    '8',
    'a token request without any client',
    '400',
    '401 with a challenge',
    'answers a token request without any client with 401 and a challenge',
  ),
  row(
    '9',
    'a stolen password of an administrator',
    'no second factor could be required',
    'the platform or an account requires one',
    'enrols a member at sign-in when the account requires a second factor [P08]',
  ),
]

export const MENDED_ATTACKS: readonly MendedAttack[] = [...LOAD, ...OTHERS]
