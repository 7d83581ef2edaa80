// The refusals that the specifications describe: an error redirect, a page without a redirect, an
// error of the token endpoint. Each is one check with one cause. RFC 6749 4.1.2.1 and 5.2.
import { type Attempt, describeLanding, isRedirectTo } from './flow.ts'
import type { Answer } from './http-client.ts'
import { describeAnswer, type ModuleContext } from './module-context.ts'

/** Expects that authorize refused with one of these errors, by redirect; a page will do when `orPage`. */
export function expectAuthorizeError(
  t: ModuleContext,
  attempt: Attempt,
  errors: readonly string[],
  { orPage = false }: { orPage?: boolean } = {},
): URLSearchParams | undefined {
  const { landing, client, parameters } = attempt
  const names = errors.join(' or ')
  if (landing.kind === 'page') {
    const isRefusal = orPage && landing.answer.status >= 400
    t.check(isRefusal, `authorize refuses with ${names}`, describeLanding(attempt))
    return undefined
  }
  const response = errorParameters(landing.url)
  const redirectUri = parameters.get('redirect_uri') ?? client.redirectUri
  t.check(
    isRedirectTo(landing.url, redirectUri) && errors.includes(response.get('error') ?? ''),
    `authorize redirects with ${names}`,
    describeLanding(attempt),
  )
  t.check(!response.has('code'), 'the error redirect has no code', 'a code beside the error')
  return response
}

/** An implicit response puts its parameters in the fragment. */
export const errorParameters = (url: URL): URLSearchParams =>
  url.searchParams.has('error') ? url.searchParams : new URLSearchParams(url.hash.slice(1))

/** Expects that authorize shows an error and redirects nowhere. */
export function expectNoRedirect(t: ModuleContext, attempt: Attempt, what: string): void {
  const { landing } = attempt
  t.check(
    landing.kind === 'page' && landing.answer.status >= 400 && !landing.answer.location,
    `${what} gets an error page and no redirect`,
    describeLanding(attempt),
  )
}

/** An OAuth error of the token endpoint. */
export function expectTokenError(
  t: ModuleContext,
  answer: Answer,
  errors: readonly string[],
  what: string,
): void {
  const error = answer.json?.error
  const isRefusal = answer.status >= 400 && answer.status < 500
  t.check(
    isRefusal && typeof error === 'string' && errors.includes(error),
    `${what} gets ${errors.join(' or ')}`,
    describeAnswer(answer),
  )
}
