// What stands between an app and the service of a run: changes one answer of authorize, one exchange, or one
// ID token. Each is pure but for its tools; none keeps a code or a token. Contract §15.
import type { Answer, Intercept } from '@chartside/test-kit'
import type { InterceptTools } from './fault.ts'

const AUTHORIZE = '/app-auth/authorize'
const TOKEN = '/app-auth/token'

/** A trace id as the service writes it, so that checks find it again. */
export const TRACE = 'trc_fault0000000000000'

const NO_STORE = { 'cache-control': 'no-store' }
export const error = (status: number, code: string, description: string): Answer => ({
  ...{ status, headers: NO_STORE },
  body: { error: code, error_description: description, trace_id: TRACE },
})

/** The redirect of authorize with another query. */
export const onRedirect =
  (change: (query: URLSearchParams) => void) => (): Intercept => async (request, usual) => {
    const answer = await usual(request)
    const location = answer.headers?.location
    if (request.path !== AUTHORIZE || !location) return answer
    const address = new URL(location)
    change(address.searchParams)
    return { ...answer, headers: { ...answer.headers, location: address.href } }
  }

/** Lets authorize refuse, and the browser return with the error. */
export const refusing = (code: string, description: string) =>
  onRedirect((query) => {
    query.delete('code')
    query.set('error', code)
    query.set('error_description', `${description} (trace ${TRACE})`)
  })

/** Gives another answer to the exchange; `usual` sends it on. */
export const onExchange =
  (change: (usual: () => Promise<Answer>, tools: InterceptTools) => Promise<Answer> | Answer) =>
  (tools: InterceptTools): Intercept =>
  (request, usual) =>
    request.path === TOKEN ? Promise.resolve(change(() => usual(request), tools)) : usual(request)

/** The exchange answers with another ID token than the one that the service signed. */
export const onIdToken = (
  kind: string,
  change: (claims: Record<string, unknown>) => void = () => {},
) =>
  onExchange(async (usual, tools) => {
    const answer = await usual()
    const body = answer.body as { id_token?: string }
    if (!body?.id_token) return answer
    const [, payload = ''] = body.id_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    change(claims)
    return { ...answer, body: { ...body, id_token: tools.mintIdToken(kind, claims) } }
  })
