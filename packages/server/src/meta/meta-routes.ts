// The addresses of this room: who may call each, what it takes and gives, and its handler.
// routes.ts puts them into the table.
import type { Route } from '../route.ts'
import { openRoute } from '../route-builders.ts'
import { showDoc, showDocScript, showOpenApi } from './doc-http.ts'
import { showLive, showReady } from './health-http.ts'
import { LIVE, NOT_READY, OPENAPI_DOCUMENT, READY } from './meta-schema.ts'

/** The table is an argument, because these routes show it and are in it. */
export const metaRoutes = (table: () => readonly Route[]) => [
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/health',
    admission: 'immediate',
    operation: 'health',
    summary: 'Liveness: the process runs.',
    answers: { 200: LIVE },
    handle: showLive,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/health/live',
    admission: 'immediate',
    operation: 'healthLive',
    summary: 'Liveness: the process runs.',
    answers: { 200: LIVE },
    handle: showLive,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/health/ready',
    admission: 'immediate',
    operation: 'healthReady',
    summary: 'Readiness: the database accepts writes.',
    answers: { 200: READY, 503: NOT_READY },
    handle: showReady,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/openapi.json',
    admission: 'throttled',
    operation: 'openApi',
    summary: 'The OpenAPI document of this API.',
    answers: { 200: OPENAPI_DOCUMENT },
    handle: showOpenApi(table),
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/doc',
    admission: 'throttled',
    operation: 'doc',
    summary: 'The reference of this API, as a page.',
    answers: { 200: 'HTML' },
    handle: showDoc(table),
  }),
  openRoute({
    method: 'GET',
    path: '/doc/filter.mjs',
    admission: 'throttled',
    operation: 'docScript',
    summary: 'The script that filters the reference.',
    answers: { 200: 'JavaScript' },
    handle: showDocScript,
  }),
]
