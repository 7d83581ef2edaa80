// The errors that a browser shows to a person, as pages of one look: of the sign-in pages, of authorize during
// an outage or over a limit, of a region, and of an address without a route. Programs get JSON.

import type { HasConfig } from '../config/config.ts'
import type { Reply, TextReply } from '../http/call.ts'
import {
  buildErrorPage,
  CHART_IS_SAFE,
  type ErrorPageOptions,
  type Problem,
} from '../http/html/error-page.ts'
import { PageProblem } from '../http/html/page-problem.ts'
import { problemReply } from '../http/replies.ts'
import type { ApiErrorCode } from '../kernel/errors.ts'
import type { HasClock } from '../kernel/randomness.ts'

type Parts = HasClock & HasConfig
type Texts = Pick<Problem, 'title' | 'happened' | 'todo'>

const BEGIN_AGAIN = 'Begin again from where you came: the side panel, your program or the console.'

/** A person reads this on a page of sign-in; without a title here, that of the code. */
const PAGE_TEXTS: Partial<Record<ApiErrorCode, Partial<Texts>>> = {
  invalid_request: { title: 'This page cannot go on', todo: BEGIN_AGAIN },
  used_already: { title: 'This step is over', todo: BEGIN_AGAIN },
  sign_in_failed: { todo: 'Open the page of your sign-in again, or sign in another way.' },
  not_allowed: { title: 'This is not yours to do', todo: 'Sign in as the person who was invited.' },
  conflict: { title: 'This belongs to another person', todo: 'Choose another way to sign in.' },
  not_found: {
    title: 'Nothing is here',
    todo: 'Check the address, or begin at the console.',
  },
  body_too_large: { title: 'That was too long', todo: 'Go back and type less.' },
  rate_limited: { title: 'Too many attempts' },
}

const OUTAGE: Texts = {
  title: 'Signing in is not possible right now',
  happened: `Chartside has an outage. ${CHART_IS_SAFE}`,
  todo: 'Try again in a moment. If it stays so, call your support.',
}

const consoleLink = (baseUrl: string) => ({ label: 'Open the console', url: `${baseUrl}/console` })

/** The address of the page itself: nothing that the request sent is repeated in its answer. */
const TRY_AGAIN = { label: 'Try again', url: '' } as const

/** A fault that passes is asked again by the same GET; a form is never sent a second time. */
const isWorthAnotherTry = (method: string, status: number) =>
  method === 'GET' && (status === 429 || status >= 500)

/** The page of an error on a page of the service; internal details stay in the log. */
export function buildPageError(
  { clock, config }: Parts,
  method: string,
  error: unknown,
  traceId: string,
): Reply {
  const { baseUrl } = config
  const { status, headers = {}, body } = problemReply(error, traceId)
  const shown = body as { title: string; detail: string; code: ApiErrorCode }
  const { title, detail, code } = shown
  const { 'retry-after': retryAfter } = headers
  const own = error instanceof PageProblem ? error : undefined
  const wait = retryAfter && `Wait until ${clockTime(clock() + Number(retryAfter) * 1000)}.`
  const texts = status >= 500 ? OUTAGE : { title, happened: detail, ...PAGE_TEXTS[code] }
  const todo = own?.todo ?? (status >= 500 ? OUTAGE.todo : (wait ?? texts.todo ?? BEGIN_AGAIN))
  const links = own?.actions.map(({ label, url }) => ({ label, url: `${baseUrl}${url}` })) ?? []
  const next = isWorthAnotherTry(method, status) ? TRY_AGAIN : consoleLink(baseUrl)
  const more: Partial<ErrorPageOptions> =
    retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }
  return buildErrorPage(
    { status, service: config, ...more },
    {
      title: own?.title ?? texts.title,
      happened: texts.happened,
      todo,
      actions: links.length > 0 ? links : [next],
      code,
      cause: status >= 500 ? title : detail,
      fix: todo,
      traceId,
      at: clock(),
    },
  )
}

/** Formats by the clock of the service, which says so: the page runs no script that knows another. */
const clockTime = (at: number) =>
  new Date(at).toLocaleTimeString('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })

/** The page of a refusal that authorize answers without a redirect to a person in a frame. */
export function buildAppError(
  { clock, config }: Parts,
  refusal: { readonly status: number; readonly headers?: Readonly<Record<string, string>> },
  { code, message }: { readonly code: string; readonly message: string },
  traceId: string,
): TextReply {
  const { 'retry-after': seconds } = refusal.headers ?? {}
  const isRegion = code === 'region_not_allowed'
  const when = seconds ? `Wait ${seconds} seconds, then open` : 'Open'
  return buildErrorPage(
    {
      status: refusal.status,
      service: config,
      framedBy: config.hostOrigins,
      ...(seconds ? { headers: { 'retry-after': seconds } } : {}),
    },
    {
      title: isRegion ? 'Not available from where you are' : 'This app cannot be opened right now',
      happened: CHART_IS_SAFE,
      todo: isRegion
        ? 'Your network is in a country from which this service does not answer. Ask your administrator.'
        : `${when} the app again from the side panel. If it fails again, give your support the trace below.`,
      code,
      cause: message,
      fix: isRegion
        ? 'Call from an allowed country, or add the network to CHARTSIDE_ALLOWED_NETWORKS.'
        : 'Nothing in the app has to change: launch it again.',
      traceId,
      at: clock(),
    },
  )
}

/** The address of a form, opened by itself: from the history of a browser, or after an outage. */
export const buildFormAddressPage = ({ clock, config }: Parts, traceId: string): TextReply =>
  buildErrorPage(
    { status: 405, service: config, headers: { allow: 'POST' } },
    {
      title: 'This page cannot be opened on its own',
      happened: 'A form was sent here. Nothing has happened now.',
      todo: BEGIN_AGAIN,
      actions: [consoleLink(config.baseUrl)],
      code: 'method_not_allowed',
      cause: 'This address takes POST from its own page only.',
      fix: BEGIN_AGAIN,
      traceId,
      at: clock(),
    },
  )

export const buildNotFoundPage = ({ clock, config }: Parts, traceId: string): TextReply =>
  buildErrorPage(
    { status: 404, service: config },
    {
      title: 'Nothing is at this address',
      happened: 'The link may be old, or a character of it is missing.',
      todo: 'Begin at the console, or look the address up in the reference.',
      actions: [
        consoleLink(config.baseUrl),
        { label: 'Reference of the API', url: `${config.baseUrl}/doc` },
      ],
      code: 'not_found',
      cause: 'No route of the service has this path.',
      fix: 'See /doc for the addresses of the service.',
      traceId,
      at: clock(),
    },
  )
