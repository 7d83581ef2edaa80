// What the service found when it visited the registered pages of an app, as rows of the diagnostics: each
// fault with its cause, its fix and what is missing by name. Pure.
import type { PreflightAnswer } from '../messages.ts'
import { WORDS } from './words.ts'

/** A row of the diagnostics: a step of the launch, or a page that was visited. */
export interface DiagnosticsRow {
  readonly id: string
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'note'
  readonly time: string
  /** The time since the row before. */
  readonly after: string
  readonly detail: readonly string[]
}

/** The answer is null until it is here. */
export interface PagesChecked {
  readonly appId: string
  readonly answer: PreflightAnswer | null
}

export interface PagesView {
  readonly isRunning: boolean
  readonly rows: readonly DiagnosticsRow[]
}

const OUTCOMES = { passed: 'ok', warning: 'note', failed: 'failed' } as const

export function buildPages(appId: string, checked: PagesChecked | null): PagesView {
  if (checked?.appId !== appId) return { isRunning: false, rows: [] }
  const { answer } = checked
  if (answer === null) return { isRunning: true, rows: [] }
  const row = { time: '', after: '' }
  if ('failure' in answer) {
    const detail = [answer.failure]
    const failed = { id: 'failure', name: WORDS.pagesFailed, outcome: 'failed', detail } as const
    return { isRunning: false, rows: [{ ...row, ...failed }] }
  }
  const rows = answer.pages.map(({ url, outcome, findings }) => ({
    ...row,
    id: url,
    name: url,
    outcome: OUTCOMES[outcome],
    detail: findings
      .filter((finding) => finding.outcome !== 'passed')
      .flatMap(({ cause, fix, missing }) => [cause, fix, missing && WORDS.pagesMissing(missing)])
      .filter((text): text is string => text !== undefined && text !== ''),
  }))
  return { isRunning: false, rows }
}
