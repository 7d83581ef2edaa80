// The error responses of the OpenAPI document: for each route its error codes by status, in the form of
// its surface. Equal responses are one component. Pure. RFC 9457, RFC 6749 5.2.

import { END_REASONS } from '@chartside/protocol/launch'
import { API_ERRORS, type ApiErrorCode } from '../kernel/errors.ts'
import type { Route } from '../route.ts'
import { listErrorCodes } from '../route-errors.ts'

const COUNTRY = {
  type: ['string', 'null'],
  description: 'With region_not_allowed: the country seen, null when it is not known.',
} as const

const text = (example: string) => ({ type: 'string', examples: [example] }) as const

export const ERROR_SCHEMAS = {
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details.',
    required: ['type', 'title', 'status', 'detail', 'code', 'traceId'],
    properties: {
      type: text('about:blank'),
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'The cause, and what to do.' },
      code: { type: 'string', enum: Object.keys(API_ERRORS) as ApiErrorCode[] },
      traceId: {
        ...text('4bf92f3577b34da65f0c2d7e9b1a4c68'),
        description: 'Finds the line in the log.',
      },
      country: COUNTRY,
      ended: {
        type: 'object',
        description: 'With not_signed_in: when and why the sign-in of this token ended.',
        required: ['at', 'reason'],
        properties: {
          at: text('2026-03-01T12:30:00.000Z'),
          reason: { type: 'string', enum: END_REASONS },
        },
      },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: {
            field: { ...text('/name'), description: 'JSON Pointer, or name of a parameter.' },
            message: text('This field is missing.'),
          },
        },
      },
    },
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749 5.2, with the trace id of the log line.',
    required: ['error', 'error_description', 'trace_id'],
    properties: {
      error: text('invalid_grant'),
      error_description: { type: 'string' },
      trace_id: text('4bf92f3577b34da65f0c2d7e9b1a4c68'),
      country: COUNTRY,
    },
  },
} as const

/** The codes of a route of the backend API by status, or none on another surface. */
function codesByStatus(route: Route): Map<number, ApiErrorCode[]> {
  const codes = route.surface === 'api' ? listErrorCodes(route) : []
  const found = new Map<number, ApiErrorCode[]>()
  for (const code of codes) {
    const { status } = API_ERRORS[code]
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return found
}

const nameOf = (codes: readonly string[]) => codes.join('_or_')

/** References to the refusals of a route, by status. */
export function listErrorRefs(route: Route): Record<string, object> {
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` })
  if (route.surface === 'page') return { default: ref('page_error') }
  if (route.surface === 'oauth') {
    return {
      ...(route.regions === 'allowed' ? { 403: ref('oauth_error') } : {}),
      default: ref('oauth_error'),
    }
  }
  const byStatus = [...codesByStatus(route)].map(([status, codes]) => [status, ref(nameOf(codes))])
  return Object.fromEntries(byStatus)
}

/** Every refusal that some route refers to. */
export function buildErrorAnswers(routes: readonly Route[]): Record<string, object> {
  const answers: Record<string, object> = {
    oauth_error: {
      description: 'An OAuth error.',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } },
      },
    },
    page_error: {
      description: 'A page with the cause and the fix.',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
  }
  for (const route of routes) {
    for (const [status, codes] of codesByStatus(route)) {
      answers[nameOf(codes)] ??= buildProblem(status, codes)
    }
  }
  return answers
}

function buildProblem(status: number, codes: readonly ApiErrorCode[]): object {
  const example = (code: ApiErrorCode) => ({
    value: {
      type: 'about:blank',
      title: API_ERRORS[code].title,
      status,
      detail: 'The cause, and what to do.',
      code,
      traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
    },
  })
  return {
    description: codes.map((code) => `${code}: ${API_ERRORS[code].title}.`).join(' '),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  }
}
