// The records that a picker offers: searched by the service, the newest search alone counts. It remembers
// the names that it has seen, and asks for the name of a chosen record that no search has found.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isAborted } from '../api/problem.ts'

export interface PickedRecord {
  readonly id: string
  readonly name: string
  readonly detail?: string | undefined
}

export interface RecordSource {
  /** The identifier of the chosen record; empty without one. */
  readonly value: string
  /** The records whose name has the text; the first ones for an empty text. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly PickedRecord[]>
  /** The name of a chosen record that no search has found yet. */
  readonly nameOf: (id: string, signal: AbortSignal) => Promise<string>
}

export interface RecordSearch {
  readonly found: readonly PickedRecord[]
  /** The message about the result of the search; empty when the list says all. */
  readonly message: string
  /** The text in the field: typed, or the name of the chosen record. */
  readonly text: Signal<string>
  searchNow(text: string): void
  /** Whether what is found is of another text than the typed one. */
  isBehind(): boolean
  /** Waits for the next key first. */
  searchSoon(text: string): void
  /** Forgets what was typed and not chosen. */
  restoreText(): void
}

const WAIT_MS = 200
const MAX_SHOWN = 20

const describeResult = (count: number) =>
  count === 0
    ? 'None has this name.'
    : count > MAX_SHOWN
      ? `The first ${MAX_SHOWN}; type more of the name.`
      : ''

export function useRecordSearch(source: RecordSource): RecordSearch {
  const { value } = source
  const latest = useRef(source)
  latest.current = source
  const found = useSignal<readonly PickedRecord[]>([])
  const message = useSignal('')
  const text = useSignal('')
  const running = useRef(new AbortController())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wanted = useRef('')
  const shown = useRef('')
  const known = useRef(new Map<string, string>())
  for (const { id, name } of found.value) known.current.set(id, name)
  const chosenName = () => known.current.get(latest.current.value) ?? latest.current.value
  const search = async (asked: string) => {
    wanted.current = asked
    running.current.abort()
    running.current = new AbortController()
    const { signal } = running.current
    try {
      const records = await latest.current.search(asked, signal)
      if (signal.aborted) return
      found.value = records.slice(0, MAX_SHOWN)
      shown.current = asked
      message.value = describeResult(records.length)
    } catch (error) {
      if (!isAborted(error)) message.value = 'The search failed. Type again.'
    }
  }
  useEffect(() => {
    const controller = new AbortController()
    text.value = value === '' ? '' : chosenName()
    if (value !== '' && !known.current.has(value)) {
      latest.current.nameOf(value, controller.signal).then(
        (name) => {
          known.current.set(value, name)
          // What is typed meanwhile stays.
          if (text.peek() === value) text.value = name
        },
        () => {},
      )
    }
    return () => controller.abort()
  }, [value])
  useEffect(
    () => () => {
      running.current.abort()
      clearTimeout(timer.current)
    },
    [],
  )
  return {
    found: found.value,
    message: message.value,
    text,
    searchNow: (asked) => void search(asked),
    isBehind: () => wanted.current !== shown.current,
    searchSoon(asked) {
      wanted.current = asked
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void search(asked), WAIT_MS)
    },
    restoreText() {
      clearTimeout(timer.current)
      wanted.current = shown.current
      text.value = chosenName()
    },
  }
}
