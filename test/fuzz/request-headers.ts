// The headers of a fuzzed request: every kind of credential, and the oddities of the rest. Values hold
// placeholders of world.ts.
import fc from 'fast-check'
import type { Route } from '../../packages/server/src/route.ts'
import { MARK } from './hostile-values.ts'

type Header = readonly [name: string, value: string]

const PEOPLE = ['provider', 'developer', 'accountAdmin', 'outsider', 'platformAdmin'] as const

const bearer = (value: string): Header => ['authorization', `Bearer ${value}`]
const person: fc.Arbitrary<Header[]> = fc
  .constantFrom(...PEOPLE)
  .map((who) => [bearer(`{{own.${who}}}`)])
/** Of a developer, where the route takes one. */
const personOrKey = fc.oneof(person, fc.constant<Header[]>([bearer('{{own.developerKey}}')]))
const client: fc.Arbitrary<Header[]> = fc.constant([['authorization', 'Basic {{own.basic}}']])

/** Credentials of another kind, of another time, or of no kind. */
const ODD: readonly Header[][] = [
  [],
  [bearer('{{own.accessToken}}')],
  [bearer('{{own.idToken}}')],
  [bearer('{{own.clientSecret}}')],
  [bearer('{{own.endedToken}}')],
  [bearer('{{own.developerKey}}')],
  [bearer('{{own.pollVerifier}}')],
  [bearer('{{own.code}}')],
  [bearer(`st_${MARK}`)],
  [bearer('')],
  [bearer(`{{own.provider}} ${MARK}`)],
  [['authorization', 'bearer {{own.provider}}']],
  [['authorization', 'Bearer']],
  [['authorization', `Digest ${MARK}`]],
  [['authorization', 'Basic !!!']],
  [['authorization', `Basic ${Buffer.from(`${MARK}:${MARK}`).toString('base64')}`]],
  [['authorization', `Basic ${Buffer.from('{{own.clientId}}').toString('base64')}`]],
  [['authorization', `Bearer ${MARK.repeat(700)}`]],
  [['authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.']],
  [['authorization', 'Basic {{own.basic}}'], bearer('{{own.provider}}')],
]

function credentials(route: Route): fc.Arbitrary<Header[]> {
  const odd = fc.constantFrom(...ODD)
  const own =
    route.caller === 'person'
      ? route.surface === 'api' && route.takesDeveloperKey
        ? personOrKey
        : person
      : route.caller === 'client'
        ? client
        : route.caller === 'client_or_person'
          ? fc.oneof(person, client)
          : route.caller === 'access_token'
            ? fc.constant<Header[]>([bearer('{{own.accessToken}}')])
            : fc.constantFrom<Header[]>([], [bearer('{{own.pollVerifier}}')])
  return fc.oneof(
    { weight: 5, arbitrary: own },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: person },
  )
}

const ODDITIES: readonly Header[] = [
  ['accept', 'text/html,*/*'],
  ['accept', 'text/html'],
  ['accept', `${MARK}/${MARK};q=abc`],
  ['accept-encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'],
  ['accept-language', MARK.repeat(300)],
  ['cookie', `__Host-chartside=${MARK}`],
  ['cookie', `__Host-chartside={{page.cookieValue}}; __Host-chartside=${MARK}`],
  ['cookie', `;;;=;__proto__=${MARK};${MARK}`],
  ['expect', '100-continue'],
  ['forwarded', `for="${MARK}";proto=http`],
  ['host', `${MARK}.example`],
  ['if-match', '*'],
  ['if-match', `"${MARK}", W/"x", ,"`],
  ['if-match', MARK.repeat(500)],
  ['if-none-match', '*'],
  ['if-none-match', `"${MARK}"`],
  ['if-none-match', '"'.repeat(2000)],
  ['origin', 'null'],
  ['origin', `https://${MARK}.example`],
  ['origin', '{{own.hostOrigin}}'],
  ['range', 'bytes=0-,5-1,-'],
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', MARK],
  ['traceparent', `00-${MARK}-01`],
  ['user-agent', `\x1b[31m${MARK}`],
  ['user-agent', MARK.repeat(500)],
  ['x-forwarded-for', MARK],
  ['x-forwarded-for', '10.1.2.3, ::1, 0x7f.1, 999.1.1.1'],
  ['x-forwarded-for', `${'10.0.0.1,'.repeat(400)}10.0.0.2`],
  ['x-forwarded-for', 'fe80::1%eth0'],
  ['x-forwarded-host', `${MARK}.example`],
  ['x-forwarded-proto', `javascript:${MARK}`],
  ['x-http-method-override', 'DELETE'],
  ['x-original-url', '/api/audit-events'],
  ['x-request-id', `${MARK}\tid`],
]

/** Failures are counted for each network, so that cases do not stop each other. */
const network: fc.Arbitrary<Header> = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map(([a, b, c]) => ['x-forwarded-for', `10.${a}.${b}.${c}`])

export const hostileHeaders = (route: Route): fc.Arbitrary<Header[]> =>
  fc
    .tuple(
      credentials(route),
      network,
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<Header[]>([]) },
        { weight: 2, arbitrary: fc.array(fc.constantFrom(...ODDITIES), { maxLength: 3 }) },
      ),
    )
    .map(([credential, from, odd]) => {
      const names = new Set(odd.map(([name]) => name))
      return [...credential, from, ...odd].filter(
        ([name, value], i, all) =>
          odd.some((one) => one[0] === name && one[1] === value) ||
          (!names.has(name) && all.findIndex((one) => one[0] === name && one[1] === value) === i),
      )
    })

/** What the browser adds when it sends a form of a page: without it no form is read at all. */
export const browserHeaders = (route: Route): Header[] =>
  route.surface === 'page' ? [['cookie', '{{page.cookie}}']] : []
