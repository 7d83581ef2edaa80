// The samples of the reference: the same request for a terminal and for TypeScript, with the client that is
// typed by the OpenAPI document. Pure.

export interface SampleRequest {
  readonly method: string
  /** The path as OpenAPI writes it: `/api/apps/{id}`. */
  readonly path: string
  readonly baseUrl: string
  readonly body: unknown
  /** The credential `session` is a session token, `client` the credentials of an app. */
  readonly credential: 'session' | 'client' | 'access_token' | 'identity_provider' | undefined
}

const HEADERS = {
  session: 'authorization: Bearer $SESSION_TOKEN',
  access_token: 'authorization: Bearer $ACCESS_TOKEN',
  identity_provider: 'authorization: Bearer $SIGNED_JWT',
} as const

export function buildCurl({ method, path, baseUrl, body, credential }: SampleRequest): string {
  const address = `${baseUrl}${path.replace(/\{(\w+)\}/g, (_, name) => `$${name.toUpperCase()}`)}`
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} "${address}"`]
  if (credential === 'client') lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"')
  else if (credential) lines.push(`-H "${HEADERS[credential]}"`)
  if (body !== undefined) {
    lines.push("-H 'content-type: application/json'")
    lines.push(`-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`)
  }
  return lines.join(' \\\n  ')
}

/** Builds a sample with `openapi-fetch` and the types that `openapi-typescript` makes of /openapi.json. */
export function buildTypeScript({ method, path, body }: SampleRequest): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const options = [
    ...(names.length > 0 ? [`  params: { path: { ${names.join(', ')} } },`] : []),
    ...(body === undefined
      ? []
      : [`  body: ${JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')},`]),
  ]
  const more = options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''
  return `const { data, error } = await client.${method}('${path}'${more})`
}
