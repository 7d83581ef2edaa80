// A secret that an answer holds once: the page shows it until the person has stored it, and asks before the page is
// left. Used by every section that makes one.
/** @jsxImportSource preact */
import { SecretField } from '@chartside/ui'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { addLeaveGuard } from '../route/location.ts'
import { notify } from '../shell/announcements.ts'
import { copyText } from './copy-text.ts'

/** Holds what was made and is not stored yet. The page asks before it is left. */
export function useMade<T>(): Signal<T | undefined> {
  const made = useSignal<T | undefined>(undefined)
  useEffect(() => addLeaveGuard(() => made.peek() === undefined), [])
  return made
}

interface ShownOnceProps {
  readonly label: string
  readonly secret: string
  /** The word “secret” or “token”, for the message. */
  readonly what: string
  readonly made: Signal<unknown>
}

export function ShownOnce({ label, secret, what, made }: ShownOnceProps) {
  return (
    <SecretField
      key={secret}
      label={label}
      secret={secret}
      copy={copyText}
      onKept={() => {
        made.value = undefined
        notify('good', `The ${what} is not shown again.`)
      }}
    />
  )
}
