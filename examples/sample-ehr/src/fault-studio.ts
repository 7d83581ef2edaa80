// The page Fault studio and the calls of its script: start a run, watch it, read a kept one. The sandbox plays;
// this file is the edge. Contract §15.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlayedFault } from '@chartside/protocol/fault-grade'
import type { Comparison, Run } from '@chartside/protocol/fault-run'
import { html } from './html.ts'
import { readFields, sendJson, sendPage } from './replies.ts'

export interface StudioApp {
  readonly slug: string
  readonly name: string
}

/** The state of an app that the page shows. */
export interface StudioState {
  readonly apps: readonly StudioApp[]
  /** The runs, newest first. */
  readonly runs: readonly {
    readonly id: string
    readonly startedAt: string
    readonly title: string
  }[]
  readonly shown: {
    readonly id: string
    readonly run: Run
    readonly before: Comparison | null
  } | null
  /** The fault that is played, of any app: one is played at a time. */
  readonly playing: {
    readonly app: StudioApp
    readonly total: number
    readonly names: readonly string[]
    readonly done: readonly PlayedFault[]
  } | null
  /** The reason why the last run could not be made. */
  readonly problem: string | null
}

export interface StudioCalls {
  /** Reads the run; without `run` the newest. Null: no such app, or no such run. */
  read(app: string, run: string | undefined): Promise<StudioState | null>
  /** False: a run is under way, or there is no such app. No names: all faults. */
  start(app: string, only: readonly string[]): boolean
  stop(): void
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fault studio · Chartside sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/faults.css">
</head>
<body>
<div id="studio"></div>
<script src="/faults.js"></script>
</body>
</html>`

/** False: the path is none of the studio. */
export async function answerStudio(
  calls: StudioCalls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(`http://ehr.invalid${request.url}`)
  const { method } = request
  if (method === 'GET' && /^\/faults(\/[\w-]+){0,2}\/?$/.test(pathname)) {
    sendPage(response, 200, POLICY, PAGE)
    return true
  }
  if (pathname !== '/fault-runs') return false
  if (method === 'GET') {
    const run = searchParams.get('run') ?? undefined
    const state = await calls.read(searchParams.get('app') ?? '', run)
    if (state) sendJson(response, 200, state)
    else sendJson(response, 404, { error: 'not_found' })
    return true
  }
  if (method === 'DELETE') {
    calls.stop()
    sendJson(response, 200, {})
    return true
  }
  const fields = await readFields(request)
  if (!fields) sendJson(response, 415, { error: 'json_expected' })
  else {
    const { app, only } = fields
    const names = Array.isArray(only) ? only.map(String) : []
    const isStarted = calls.start(String(app), names)
    sendJson(response, isStarted ? 202 : 409, isStarted ? {} : { error: 'not_started' })
  }
  return true
}
