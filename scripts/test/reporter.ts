// Reporter of Node's test runner inside a test process: sends what happens as lines of JSON to file
// descriptor 3, where the parent reads it. Written synchronously, so that a process which dies has
// said everything that it did. Formats errors here, because an error does not survive JSON.
import { writeSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { browserProcessorSeconds, processorSeconds } from './processor-time.ts'
import { formatMessage, type TestMessage } from './test-message.ts'

const REPORT_FD = 3
const MAX_ERROR_DEPTH = 6

/** What Node says at the end of every process. */
const TOTALS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

/** The names of the tests around one, without the suite that stands for the file. */
const path: string[] = []

function send(message: TestMessage): void {
  writeSync(REPORT_FD, formatMessage(message))
}

function formatError(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return inspect(cause instanceof Error ? cause : (cause ?? error), { depth: MAX_ERROR_DEPTH })
}

/** An error for which no test waits, from a timer or a promise. It belongs to the test that began last. */
function reportStray(error: unknown): void {
  const title = path.slice(1).join(' > ')
  send({ type: 'test', title, ms: 0, outcome: 'failed', error: formatError(error) })
}
process.on('uncaughtExceptionMonitor', reportStray)
process.on('unhandledRejection', reportStray)

type Finished = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** A suite has no outcome of its own unless its hooks or its body failed. */
function reportOutcome({ type, data }: Finished): void {
  const { name, nesting, details } = data
  const error = type === 'test:fail' ? data.details.error : undefined
  const failureType = (error as { failureType?: string } | undefined)?.failureType
  const isSuite = details.type === 'suite'
  if (isSuite && (!error || failureType === 'subtestsFailed')) return
  const leftOut = data.skip ?? data.todo
  send({
    type: 'test',
    title: nesting === 0 ? 'the file itself' : [...path.slice(1, nesting), name].join(' > '),
    ms: details.duration_ms,
    ...(leftOut !== undefined
      ? { outcome: 'skipped', reason: typeof leftOut === 'string' ? leftOut : 'without a reason' }
      : error
        ? { outcome: 'failed', error: formatError(error) }
        : { outcome: 'passed' }),
  })
}

// biome-ignore lint/correctness/useYield: Node wants a generator; what it yields goes nowhere.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') {
      path[data.nesting] = data.name
      if (data.nesting === 0) send({ type: 'file began', file: data.name })
      else send({ type: 'test began', title: path.slice(1, data.nesting + 1).join(' > ') })
    } else if (type === 'test:pass' || type === 'test:fail') {
      path.length = data.nesting + 1
      reportOutcome({ type, data } as Finished)
      if (data.nesting === 0) {
        const ms = data.details.duration_ms
        const used = {
          processorSeconds: processorSeconds(),
          browserSeconds: browserProcessorSeconds(),
        }
        send({ type: 'file ended', file: data.name, ms, ...used })
      }
    } else if (type === 'test:diagnostic' && !TOTALS.test(data.message)) {
      send({ type: 'diagnostic', text: data.message })
    }
  }
}
