// One case of the route fuzzer: a request as plain data, and how every part of it is made from the row
// of the route table and then broken. Knows the table's types and no service.
import fc from 'fast-check'
import type { Route } from '../../packages/server/src/route.ts'
import { damageText, hostileJson, hostileText, MARK, textDamage } from './hostile-values.ts'
import { formFields } from './page-fields.ts'
import { browserHeaders, hostileHeaders } from './request-headers.ts'
import { idOf, objectOf, type Schema } from './valid-values.ts'

/** How the bytes differ from what an HTTP client sends; `none` goes in without a socket. */
export type WireDamage =
  | 'none'
  | 'plain socket'
  | 'truncated body'
  | 'reset'
  | 'chunks'
  | 'two lengths'
  | 'bare line feeds'
  | 'bad bytes'
  | 'huge header'
  | 'many headers'
  | 'pipelined'

export interface FuzzRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  /** `latin1` makes bytes that are no UTF-8 of texts beyond ASCII. */
  readonly encoding: 'utf8' | 'latin1' | 'utf16le'
  readonly wire: WireDamage
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const schemaOf = (schema: unknown) => (schema ?? {}) as Schema

/** What each parameter of a path is; a new one needs a line here. */
const PARAMETERS: Readonly<Record<string, (route: Route) => fc.Arbitrary<string>>> = {
  id: (route) =>
    route.path.includes('login-methods')
      ? fc.constantFrom('{{own.method}}', '{{foreign.method}}')
      : idOf(route.surface === 'api' ? (route.resource ?? 'user') : 'user'),
  userId: () => idOf('user'),
  secretId: () => idOf('secret'),
  tokenId: () => idOf('directoryToken'),
  providerId: () => idOf('identityProvider'),
  webhookId: () => idOf('webhook'),
  domainId: () => idOf('domain'),
  runId: () => fc.constantFrom('frn_01jnye6xw8q2v5n0m4r7ta', '../x', MARK),
  appId: () => idOf('app'),
  ehrType: () => fc.constantFrom('meadow', 'summit', '../x', MARK),
  version: () => fc.constantFrom('1', '1', '0', '2', '9'.repeat(30), 'v1', '1.0.0', 'latest'),
  sessionId: () => fc.constantFrom('{{own.pollSession}}', '{{own.session}}', MARK.repeat(4)),
  file: () => fc.constantFrom('sdk.js', 'filter.mjs', '../package.json', MARK),
}

/** Of a parameter without a line, undefined: the test of the generators names the route. */
export const parametersWithoutGenerator = ({ path }: Pick<Route, 'path'>): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => !(name in PARAMETERS))

/** Well-formed in a URL whatever it is. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const PLACEHOLDER = /(\{\{[\w.]+\}\})/
/** Placeholders stay as they are: their values need no encoding. */
const encodeAround = (text: string) =>
  text
    .split(PLACEHOLDER)
    .map((part, i) => (i % 2 === 1 ? part : encode(part)))
    .join('')

const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: odd })

const oddSegment = fc.oneof(
  hostileText.map((text) => encode(text.slice(0, 1500))),
  fc.constantFrom('%00', '%ff', '%2e%2e%2f', '%', '%u0041', '..', ';', '%2F%2F', MARK.repeat(400)),
)

function pathOf(route: Route): fc.Arbitrary<string> {
  const parts = route.path.split(/:(\w+)/)
  const segments = parts.map((part, i) =>
    i % 2 === 0
      ? fc.constant(part)
      : rarely(PARAMETERS[part]?.(route) ?? fc.constant('x'), oddSegment),
  )
  const whole = fc.tuple(...segments).map((all) => all.join(''))
  const changed = fc.constantFrom('/', '//', '/%2e', '?', '/x', ';a=b', '%20')
  return fc.oneof(
    { weight: 24, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, changed).map(([path, end]) => `${path}${end}`) },
    {
      weight: 1,
      arbitrary: whole.map((path) => path.toUpperCase().replaceAll('{{OWN.', '{{own.')),
    },
  )
}

type Fields = readonly (readonly [name: string, value: string])[]

const encodeFields = (fields: Fields) =>
  fields.map(([name, value]) => `${encodeAround(name)}=${encodeAround(value)}`).join('&')

const asFields = (values: object): Fields =>
  Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : `${value}`,
  ])

/** Fields that fit, and now and then one repeated, replaced, left out, or one that no schema has. */
function brokenFields(good: fc.Arbitrary<Fields>): fc.Arbitrary<string> {
  const change = fc.record({
    kind: fc.constantFrom('none', 'none', 'none', 'repeat', 'replace', 'drop', 'add', 'raw'),
    at: fc.nat(20),
    text: hostileText,
    name: fc.constantFrom(
      '__proto__',
      'constructor',
      MARK,
      'a[b]',
      'limit',
      'cursor',
      'access_token',
      '',
    ),
  })
  return fc.tuple(good, change).map(([fields, { kind, at, text, name }]) => {
    const chosen = fields[at % Math.max(1, fields.length)]
    const others = fields.filter((field) => field !== chosen)
    if (kind === 'raw') return `${encodeFields(fields)}&%zz=%ff&=&&${MARK}`
    if (kind === 'add' || !chosen) {
      return encodeFields(kind === 'none' ? fields : [...fields, [name, text]])
    }
    if (kind === 'repeat') return encodeFields([...fields, [chosen[0], text]])
    if (kind === 'replace') return encodeFields([...others, [chosen[0], text]])
    return encodeFields(kind === 'drop' ? others : fields)
  })
}

function queryOf(route: Route): fc.Arbitrary<string> {
  if (route.surface === 'page' && route.method === 'GET') {
    return brokenFields(formFields(route.operation))
  }
  const isAuthorize = route.surface === 'oauth' && route.methods.includes('GET') && route.parameters
  const schema = schemaOf(
    isAuthorize ? route.parameters : route.surface === 'api' ? route.query : {},
  )
  const good = brokenFields(objectOf(schema).map(asFields))
  if (schema.properties) return good
  return rarely(fc.constant(''), brokenFields(fc.constant([])))
}

/** A value somewhere in the document is replaced by another, or a name is added. */
const brokenDocument = (good: fc.Arbitrary<object>): fc.Arbitrary<string> =>
  fc
    .tuple(
      good,
      fc.constantFrom('none', 'none', 'replace', 'add', 'whole'),
      hostileJson,
      fc.nat(),
      textDamage,
    )
    .map(([document, kind, odd, at, damage]) => {
      const names = Object.keys(document)
      const name = names[at % Math.max(1, names.length)] ?? MARK
      const changed: unknown =
        kind === 'replace'
          ? { ...document, [name]: odd }
          : kind === 'add'
            ? { ...document, [`${MARK}${at % 3}`]: odd }
            : kind === 'whole'
              ? odd
              : document
      return damageText(JSON.stringify(changed) ?? '', damage, at)
    })

interface Body {
  readonly text: string | undefined
  readonly type: string | undefined
}

const TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'APPLICATION/JSON;;;',
  'application/merge-patch+json',
  'application/jsonp',
  FORM_TYPE,
  JSON_TYPE,
  `x/${MARK}`,
  '',
]

function bodyOf(route: Route): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ text: undefined, type: undefined })
  const form = (fields: fc.Arbitrary<Fields>) =>
    brokenFields(fields).map((text): Body => ({ text, type: FORM_TYPE }))
  const json = (schema: Schema) =>
    brokenDocument(objectOf(schema)).map((text): Body => ({ text, type: JSON_TYPE }))
  const stray = json({})
  const usual = (): fc.Arbitrary<Body> => {
    if (route.surface === 'page') {
      return route.method === 'POST' ? form(formFields(route.operation)) : none
    }
    if (route.surface === 'api') return route.body ? json(schemaOf(route.body)) : none
    if (!route.methods.includes('POST')) return none
    const schema = schemaOf(route.parameters)
    return fc.oneof(form(objectOf(schema).map(asFields)), json(schema))
  }
  const typed = fc
    .tuple(usual(), fc.constantFrom(...TYPES))
    .map(([{ text }, type]): Body => ({ text: text ?? '{}', type }))
  return fc.oneof(
    { weight: 10, arbitrary: usual() },
    { weight: 1, arbitrary: typed },
    { weight: 1, arbitrary: stray },
  )
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const methodsOf = (route: Route): readonly string[] =>
  route.surface === 'oauth' ? route.methods : [route.method]

const wireDamage: fc.Arbitrary<WireDamage> = fc.oneof(
  { weight: 16, arbitrary: fc.constant<WireDamage>('none') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<WireDamage>(
      'plain socket',
      'truncated body',
      'reset',
      'chunks',
      'two lengths',
      'bare line feeds',
      'bad bytes',
      'huge header',
      'many headers',
      'pipelined',
    ),
  },
)

/** Cases of one route. */
export function requestsTo(route: Route): fc.Arbitrary<FuzzRequest> {
  const parts = {
    method: rarely(fc.constantFrom(...methodsOf(route)), fc.constantFrom(...METHODS)),
    path: pathOf(route),
    query: queryOf(route),
    body: bodyOf(route),
    headers: hostileHeaders(route),
    encoding: fc.constantFrom('utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'latin1', 'utf16le'),
    wire: wireDamage,
  } as const
  return fc.record(parts).map(({ body, headers, method, ...rest }) => {
    const hasBody = method !== 'GET' && method !== 'HEAD' && body.text !== undefined
    const type: FuzzRequest['headers'] =
      hasBody && body.type !== undefined ? [['content-type', body.type]] : []
    return {
      operation: route.operation,
      method,
      ...rest,
      headers: [...headers, ...type, ...browserHeaders(route)],
      body: hasBody ? body.text : undefined,
    } as FuzzRequest
  })
}
