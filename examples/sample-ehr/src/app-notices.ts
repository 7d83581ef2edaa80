// Notifies open pages of the apps' processes: one starts, runs again with a new version, or has
// stopped. Keeps the newest notice of each app for a page that opens later. Server-sent events.
import type { ServerResponse } from 'node:http'
import { beginEventStream } from './replies.ts'

export interface AppNotice {
  readonly appId: string
  readonly state: 'starting' | 'running' | 'stopped'
  /** The reason why it stopped, in one line. */
  readonly problem: string
  /** True when a page has the version before open. */
  readonly isNew: boolean
  /** Its own development server serves its pages, under a weaker policy than in production. */
  readonly isDevelopment: boolean
}

export class AppNotices {
  readonly #streams = new Set<ServerResponse>()
  readonly #newest = new Map<string, AppNotice>()

  publish(notice: AppNotice): void {
    this.#newest.set(notice.appId, notice)
    for (const stream of this.#streams) write(stream, notice)
  }

  subscribe(response: ServerResponse): void {
    beginEventStream(response)
    for (const notice of this.#newest.values()) write(response, { ...notice, isNew: false })
    this.#streams.add(response)
    response.once('close', () => this.#streams.delete(response))
  }
}

function write(stream: ServerResponse, notice: AppNotice): void {
  stream.write(`data: ${JSON.stringify(notice)}\n\n`)
}
