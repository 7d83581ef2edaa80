// Launches at a steady rate through one address, each with its three requests, as hosts, browsers and app
// servers send them: nothing is repeated. Counts what failed, and how.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  api,
  authorizePath,
  codeOf,
  type Practice,
  send,
  sendJson,
  tokenRequest,
} from './story-verbs.ts'

export interface SteadyLaunches {
  stop(): Promise<{ readonly completed: number; readonly failures: readonly string[] }>
}

export function launchSteadily(practice: Practice, perSecond: number): SteadyLaunches {
  const running = new Set<Promise<void>>()
  const failures: string[] = []
  let completed = 0
  let isStopping = false

  async function launchOnce(): Promise<void> {
    const { baseUrl, sessionId, app } = practice
    const expect = (step: string, status: number, wanted: number, text: string) => {
      if (status !== wanted) throw new Error(`${step}: ${status} ${text.slice(0, 200)}`)
    }
    const path = `/api/sessions/${sessionId}/launches`
    const launched = await api(practice, 'POST', path, { appId: app.id, kind: 'ui' })
    expect('launch', launched.status, 201, launched.text)
    const launchId = String(launched.body.launchId)
    const authorized = await send(baseUrl, authorizePath(practice, launchId))
    expect('authorize', authorized.status, 302, authorized.text)
    const code = codeOf(authorized.headers.get('location'))
    const issued = await sendJson(baseUrl, '/app-auth/token', tokenRequest(practice, code ?? ''))
    expect('exchange', issued.status, 200, issued.text)
    completed += 1
  }

  async function start(): Promise<void> {
    const began = performance.now()
    for (let count = 0; !isStopping; count++) {
      const one = launchOnce()
        .catch((error: Error) => {
          failures.push(`${error.message} ${error.cause ?? ''}`)
        })
        .finally(() => running.delete(one))
      running.add(one)
      await sleep(Math.max(0, began + ((count + 1) * 1000) / perSecond - performance.now()))
    }
  }

  const starting = start()
  return {
    async stop() {
      isStopping = true
      await starting
      await Promise.all(running)
      return { completed, failures }
    },
  }
}
