// Turns what a test process reports into one result for each of its files, and finds the file to
// which the end of the process belongs. Knows nothing of processes.
import { labelOf, type TestFile } from './test-files.ts'
import type { TestMessage } from './test-message.ts'

export interface Failure {
  readonly title: string
  readonly error: string
}

/** A test that did not run. */
export interface Skipped {
  readonly title: string
  readonly reason: string
}

export interface FileResult {
  readonly label: string
  readonly seconds: number
  /** Of the process while this file ran, with what it started and what led to it. */
  readonly processorSeconds: number
  /** The part of them that the system does not add up once the process has ended. */
  readonly browserSeconds: number
  readonly passed: number
  readonly skipped: readonly Skipped[]
  readonly failures: readonly Failure[]
  /** What failed at the first try of a file that passed at the second. */
  readonly flaky?: readonly Failure[]
  readonly diagnostics: readonly string[]
  /** What the process had printed when this file ended. */
  readonly printed: string
}

interface Current {
  readonly file: TestFile
  readonly beganAt: number
  readonly failures: Failure[]
  readonly diagnostics: string[]
  readonly skipped: Skipped[]
  passed: number
  /** The test that began last. */
  title: string
}

const WHOLE_FILE = 'the file itself'

export function fileResults(files: readonly TestFile[], onResult: (result: FileResult) => void) {
  const left = new Map(files.map((file) => [file.path, file]))
  let current: Current | undefined
  let hasFailed = false
  let before = { processorSeconds: 0, browserSeconds: 0 }
  /** What was said when no file was running. */
  const between: string[] = []

  function begin(path: string): void {
    const file = left.get(path)
    if (!file) {
      throw new Error(
        `${path} is not a file of this process. A test was declared after its file was read: in an async describe, perhaps.`,
      )
    }
    const counts = { passed: 0, skipped: [], failures: [], diagnostics: [], title: '' }
    current = { file, beganAt: performance.now(), ...counts }
  }

  function finish(ended: Current, used = before): void {
    const { file, beganAt, passed, skipped, failures, diagnostics } = ended
    if (passed + skipped.length + failures.length === 0) {
      failures.push({ title: WHOLE_FILE, error: 'It ran no test.' })
    }
    current = undefined
    left.delete(file.path)
    hasFailed ||= failures.length > 0
    const seconds = (performance.now() - beganAt) / 1000
    const times = {
      seconds,
      processorSeconds: used.processorSeconds - before.processorSeconds,
      browserSeconds: used.browserSeconds - before.browserSeconds,
    }
    before = used
    const counts = { passed, skipped, failures, diagnostics }
    onResult({ label: labelOf(file), ...times, ...counts, printed: '' })
  }

  return {
    isAtEnd: () => left.size === 0,
    take(message: TestMessage): TestMessage['type'] {
      if (message.type === 'file began') begin(message.file)
      else if (message.type === 'diagnostic') (current?.diagnostics ?? between).push(message.text)
      else if (!current) return message.type
      else if (message.type === 'file ended') finish(current, message)
      else if (message.type === 'test began') current.title = message.title
      else if (message.outcome === 'failed') {
        const { title, error = '' } = message
        current.failures.push({ title, error })
      } else if (message.outcome === 'skipped') {
        const { title, reason = '' } = message
        current.skipped.push({ title, reason })
      } else current.passed += 1
      return message.type
    },
    /**
     * The process has ended; `problem` when not as it should. Gives the files that it did not reach:
     * all of several when it is not known which one ended it.
     */
    end(problem: string | undefined): readonly TestFile[] {
      if (current) {
        const { title, failures } = current
        failures.push({ title: title || WHOLE_FILE, error: problem ?? 'The process ended here.' })
        finish(current)
        return [...left.values()]
      }
      const wasReached = left.size < files.length
      if (!wasReached && files.length > 1) return files
      // A process whose tests failed exits with a code of its own; anything else is a failure.
      if (wasReached && (!problem || hasFailed)) return [...left.values()]
      onResult({
        label: files.map(labelOf).join(', '),
        seconds: 0,
        processorSeconds: 0,
        browserSeconds: 0,
        passed: 0,
        skipped: [],
        failures: [{ title: WHOLE_FILE, error: problem ?? 'The process ended before its tests.' }],
        diagnostics: between,
        printed: '',
      })
      return wasReached ? [...left.values()] : []
    },
  }
}
