// The verification of an exported trail: this browser downloads it and checks every hash. Shows how far it
// is, and whether the chain is whole; stores nothing.
/** @jsxImportSource preact */
import { Button, Pill } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { readLines, type TrailResult, verifyTrail } from './verify-trail.ts'

/** Downloads the trail and checks every hash in this browser. */
export function VerifySection({ address }: { readonly address: string }) {
  const state = useSignal<'idle' | number | TrailResult | 'failed'>('idle')
  const verify = async () => {
    state.value = 0
    try {
      const answer = await fetch(address)
      if (!answer.ok || !answer.body) throw new Error(`${answer.status}`)
      state.value = await verifyTrail(readLines(answer.body), (events) => {
        state.value = events
      })
    } catch {
      state.value = 'failed'
    }
  }
  const { value } = state
  return (
    <div class="verify-trail">
      <Button icon="shield" isBusy={typeof value === 'number'} onPress={() => void verify()}>
        Verify the chain
      </Button>
      <output>
        {typeof value === 'number' && value > 0 && `${value} events so far`}
        {value === 'failed' && 'The trail could not be read. Try again.'}
        {typeof value === 'object' && <TrailVerdict check={value} />}
      </output>
    </div>
  )
}

function TrailVerdict({ check: { events, head, problem } }: { readonly check: TrailResult }) {
  if (problem !== undefined) {
    return (
      <>
        <Pill tone="bad" icon="cross">
          Broken
        </Pill>{' '}
        The chain is broken. {problem}
      </>
    )
  }
  return (
    <>
      <Pill tone="good" icon="check">
        Whole
      </Pill>{' '}
      {events} events, unbroken. Keep the hash of the end, and compare it later:{' '}
      <code>{head?.hash ?? 'no event yet'}</code>
    </>
  )
}
