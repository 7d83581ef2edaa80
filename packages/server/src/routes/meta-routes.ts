// The routes about the service itself: health and the reference of the whole table.
// Contract §4 (/health, /doc, /openapi.json).

import { openRoute, type Route } from '../http/route.ts'
import { showDocFile } from '../meta/doc-files.ts'
import { showDoc, showOpenApi, showPlainDoc } from '../meta/doc-http.ts'
import { showLive, showReady } from '../meta/health-http.ts'
import { ROUTES } from '../routes.ts'
import { LIVE, READY } from './answers.ts'

export const META_ROUTES: readonly Route[] = [
  // About the service
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/health',
    operation: 'health',
    summary: 'Live: the process runs.',
    answers: { 200: LIVE },
    handle: showLive,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/health/live',
    operation: 'healthLive',
    summary: 'Live: the process runs.',
    answers: { 200: LIVE },
    handle: showLive,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/health/ready',
    operation: 'healthReady',
    summary: 'Ready: the database takes writes.',
    answers: { 200: READY },
    handle: showReady,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/openapi.json',
    operation: 'openApi',
    summary: 'This API, machine-readable.',
    answers: { 200: 'OpenAPI 3.1' },
    handle: showOpenApi(() => ROUTES),
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/doc',
    operation: 'doc',
    summary: 'This API, readable.',
    answers: { 200: 'HTML' },
    handle: showDoc,
  }),
  openRoute({
    method: 'GET',
    hasHead: true,
    path: '/doc/plain',
    operation: 'docPlain',
    summary: 'All routes on one page, without script.',
    answers: { 200: 'HTML' },
    handle: showPlainDoc(() => ROUTES),
  }),
  openRoute({
    method: 'GET',
    path: '/doc/:version/:file',
    operation: 'docFile',
    summary: 'What the reference page loads; immutable.',
    answers: { 200: 'JavaScript' },
    handle: showDocFile,
  }),
]
