// The attributes of a span that the conventions of OpenTelemetry ask for, without a value that a caller
// sent: what a path and a statement say of themselves. Pure.

/** Typed identifiers, such as `acc_` and 22 characters, are no secret; every bearer value is longer. */
const ID = /^[a-z]{3}_[0-9a-z]{22}$/
const MAX_SUMMARY = 255

export function serverAttributes(baseUrl: string): Readonly<Record<string, string | number>> {
  const { protocol, hostname, port } = new URL(baseUrl)
  const scheme = protocol.slice(0, -1)
  const own = { 'url.scheme': scheme, 'server.address': hostname }
  return port === '' ? own : { ...own, 'server.port': Number(port) }
}

/** The path of a request. A parameter that is no identifier keeps its name, as in the route. */
export function describePath(route: string, url: string): string {
  const [path = ''] = url.split('?', 1)
  const given = path.split('/')
  return route
    .split('/')
    .map((part, at) => {
      const value = given[at] ?? ''
      return part.startsWith(':') && ID.test(value) ? value : part
    })
    .join('/')
}

const STATEMENT = /^\s*(\w+)/
const TARGET = /\b(?:FROM|INTO|UPDATE)\s+(\w+)/

/** Returns operation and first table of each statement: few values, because the service writes each one itself. */
export function summarize(statements: readonly string[]): {
  readonly operation: string
  readonly summary: string
} {
  const each = statements.map((text) => {
    const [, operation = 'QUERY'] = STATEMENT.exec(text) ?? []
    const [, target] = TARGET.exec(text) ?? []
    return { operation, summary: target ? `${operation} ${target}` : operation }
  })
  const summary = [...new Set(each.map((one) => one.summary))].join('; ').slice(0, MAX_SUMMARY)
  const operations = new Set(each.map(({ operation }) => operation))
  const [only = 'QUERY'] = operations
  const name = operations.size === 1 ? only : ''
  return { operation: each.length === 1 ? name : `BATCH ${name}`.trim(), summary }
}
