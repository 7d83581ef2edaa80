// Copies a text and says so on itself for two seconds. The page passes how to copy: parts do no I/O.
// A copy that fails is said as well, and the text stays selectable.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from './button.tsx'

export interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** The function is usually `navigator.clipboard.writeText`. */
  readonly copy: (text: string) => Promise<void>
  readonly words?: { readonly copied: string; readonly failed: string } | undefined
  readonly isCompact?: boolean | undefined
}

const SHOWN_MS = 2000
const WORDS = { copied: 'Copied', failed: 'Copying failed. Select the text instead.' }

export function CopyButton({
  text,
  label,
  copy,
  words = WORDS,
  isCompact = true,
}: CopyButtonProps) {
  const state = useSignal<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state.value === 'idle') return
    const timer = setTimeout(() => {
      state.value = 'idle'
    }, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state.value])
  const said = state.value === 'idle' ? '' : words[state.value]
  return (
    <>
      <Button
        icon={state.value === 'copied' ? 'check' : 'copy'}
        isCompact={isCompact}
        onPress={() =>
          void copy(text).then(
            () => {
              state.value = 'copied'
            },
            () => {
              state.value = 'failed'
            },
          )
        }
      >
        {said === '' ? label : said}
      </Button>
      <span class="unseen" role="status">
        {said}
      </span>
    </>
  )
}
