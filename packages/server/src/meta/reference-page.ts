// Builds the page of the reference from the route table: sections, operations with parameters, examples, samples
// and errors, and what every error and reason means. Pure; the same schemas as the OpenAPI document.
import type { JSONSchema } from 'json-schema-to-ts'
import { buildDocument, EMPTY_HTML, type Html, html } from '../http/html/page.ts'
import { PERMISSIONS } from '../kernel/access.ts'
import { API_ERRORS, type ApiErrorCode } from '../kernel/errors.ts'
import { REASONS, type Responsible } from '../kernel/reasons.ts'
import type { Route } from '../route.ts'
import { listErrorCodes } from '../route-errors.ts'
import { buildCurl, buildTypeScript, type SampleRequest } from './code-samples.ts'
import { buildExample, buildOAuthExample } from './example.ts'
import { answersOf, describeRecentAuth, operationIdOf } from './openapi.ts'
import { loadReferenceStyle } from './reference-style.ts'
import { SECTIONS, sectionOf } from './sections.ts'

export interface ReferenceOptions {
  readonly baseUrl: string
  readonly issuerUrl: string
  readonly scriptUrl: string
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

export function buildReference(routes: readonly Route[], options: ReferenceOptions): string {
  const { baseUrl, issuerUrl, scriptUrl } = options
  const titles = [...SECTIONS.map(({ title }) => title), 'Errors', 'Reasons']
  return buildDocument(
    'Chartside API',
    loadReferenceStyle(),
    html`<body>
<header>
<h1>Chartside API</h1>
<p>Issuer <code>${issuerUrl}</code>. For machines: <a href="${baseUrl}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>JSON in camelCase, times in RFC 3339. Sign in with <a href="#signIn">POST /auth/sign-in</a> and send the token as <code>Authorization: Bearer</code>.
A typed client: <code>npx openapi-typescript ${baseUrl}/openapi.json -o chartside.ts</code>, then <code>createClient&lt;paths&gt;()</code> of openapi-fetch.</p>
<label class="search" hidden>Filter by address, word or name of the operation (key /)
<input type="search" id="search" autocomplete="off"></label>
<p id="count" role="status"></p>
</header>
<div class="page">
<nav aria-label="Sections"><ul>
${titles.map((title) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`)}
</ul></nav>
<main>
${SECTIONS.map(({ title, about }) => {
  const own = routes.filter(({ path }) => sectionOf(path) === title)
  return html`<section id="${anchorOf(title)}"><h2>${title}</h2><p>${about}</p>
${own.flatMap((route) => methodsOf(route).map((method) => operation(route, method, baseUrl)))}</section>`
})}
${errorList()}
${reasonList()}
</main>
</div>
<script type="module" src="${scriptUrl}"></script>
</body>`,
  )
}

export const methodsOf = (route: Route): readonly string[] =>
  route.surface === 'oauth' ? route.methods : [route.method]

const pathOf = ({ path }: Route) => path.replace(/:(\w+)/g, '{$1}').replace('*', '{rest}')

/** A long address may break after each slash. */
const breakable = (path: string): Html[] =>
  path.split('/').map((part, index) => (index === 0 ? html`${part}` : html`/<wbr>${part}`))

function operation(route: Route, method: string, baseUrl: string): Html {
  const id = operationIdOf(route, method)
  const path = pathOf(route)
  const search = `${method} ${path} ${route.summary} ${id}`.toLowerCase()
  return html`<article id="${id}" data-search="${search}">
<h3><span class="method">${method}</span><code>${{
    html: breakable(path)
      .map((part) => part.html)
      .join(''),
  }}</code></h3>
<p class="summary">${route.summary}</p>
<p class="who">For ${callerOf(route)}.${describeRecentAuth(route)} <a href="#${id}"><code>${id}</code></a>${tryLink(route, id, baseUrl)}</p>
<details><summary>Parameters, examples and errors</summary>
${detailsOf(route, method, { method, path, baseUrl })}
</details>
</article>`
}

/** The console has a form for each operation of a signed-in user. */
const tryLink = ({ caller }: Route, id: string, baseUrl: string): Html =>
  caller === 'person' || caller === 'client_or_person'
    ? html` <a href="${baseUrl}/console/try/${id}">Try it<span class="unseen"> (${id})</span></a>`
    : EMPTY_HTML

function callerOf(route: Route): string {
  if (route.surface === 'api' && route.permission) return PERMISSIONS[route.permission]
  return {
    anyone: 'every caller',
    person: 'a signed-in user',
    client: 'an app, by its credentials',
    client_or_person: 'an app, by its credentials, or a signed-in user',
    access_token: 'an app, by an access token',
    identity_provider: 'the identity provider of an account, by a JWT that it signs',
  }[route.caller]
}

const CREDENTIALS = {
  anyone: undefined,
  person: 'session',
  client: 'client',
  client_or_person: 'client',
  access_token: 'access_token',
  identity_provider: 'identity_provider',
} as const

function detailsOf(
  route: Route,
  method: string,
  about: Pick<SampleRequest, 'method' | 'path' | 'baseUrl'>,
): Html {
  const isOAuth = route.surface === 'oauth'
  const query = isOAuth ? (method === 'GET' ? route.parameters : undefined) : route.query
  const bodySchema = isOAuth ? (method === 'POST' ? route.parameters : undefined) : route.body
  const build = isOAuth ? buildOAuthExample : buildExample
  const body = bodySchema === undefined ? undefined : build(bodySchema)
  const request = { ...about, body, credential: CREDENTIALS[route.caller] }
  const isApi = route.surface === 'api'
  return html`${parameterList('Parameters', query)}
${parameterList('Body', bodySchema)}
<h4>Request</h4>
<pre>${buildCurl(request)}</pre>
${isApi ? html`<pre>${buildTypeScript(request)}</pre>` : EMPTY_HTML}
<h4>Answers</h4>
${answersOf(route, method).map(([status, answer]) =>
  typeof answer === 'object'
    ? html`<p>${status}</p><pre>${JSON.stringify(buildExample(answer), undefined, 2)}</pre>`
    : html`<p>${status}: ${String(answer)}</p>`,
)}
${isApi ? html`<h4>Errors</h4><p>${errorLinks(listErrorCodes(route))}</p>` : EMPTY_HTML}`
}

const errorLinks = (codes: readonly ApiErrorCode[]): Html[] =>
  codes.map(
    (code) =>
      html`<a href="#error-${code}"><code>${String(API_ERRORS[code].status)} ${code}</code></a>`,
  )

function parameterList(title: string, schema: JSONSchema | undefined): Html {
  if (typeof schema !== 'object') return EMPTY_HTML
  const required: readonly string[] = schema.required ?? []
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return EMPTY_HTML
  return html`<h4>${title}</h4><dl>
${properties.map(([name, part]) => {
  const own: Exclude<JSONSchema, boolean> = typeof part === 'object' ? part : {}
  const facts = [
    required.includes(name) ? 'required' : 'optional',
    [own.type ?? []].flat().join(' or '),
    own.enum ? `one of ${[own.enum].flat().join(', ')}` : '',
    own.maxLength ? `at most ${own.maxLength} characters` : '',
    own.description ?? '',
  ]
  return html`<dt><code>${name}</code></dt><dd>${facts.filter(Boolean).join('; ')}</dd>`
})}
</dl>`
}

const errorList = (): Html => html`<section id="errors"><h2>Errors</h2>
<p>Problem details (RFC 9457) with a stable code and a trace id.</p>
${Object.entries(API_ERRORS).map(
  ([code, { status, title }]) =>
    html`<div class="error" id="error-${code}"><h3><code>${String(status)} ${code}</code></h3><p>${title}.</p></div>`,
)}</section>`

const WHO_CAN_FIX: Readonly<Record<Responsible, string>> = {
  developer: 'A developer of the app can fix it.',
  app_admin: 'An administrator of the app’s account can fix it.',
  operator: 'The operator of the platform can fix it.',
  provider: 'The provider can fix it.',
}

const reasonList = (): Html => html`<section id="reasons"><h2>Reasons</h2>
<p>Why a step of a launch failed: on its timeline, in the log and on error pages.</p>
${Object.entries(REASONS).map(
  ([reason, { code, cause, fix, who }]) =>
    html`<div class="error" id="reason-${reason}"><h3><code>${reason}</code></h3><p>${cause}</p><p>${fix}</p><p>${code ? html`The app receives <code>${code}</code>. ` : ''}${WHO_CAN_FIX[who]}</p></div>`,
)}</section>`
