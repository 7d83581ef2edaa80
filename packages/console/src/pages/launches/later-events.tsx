// What followed a launch, one line each: how each change of the chart beside it was handled, and whether the
// server of the app was notified of the end. Nothing tells which chart it was.
/** @jsxImportSource preact */
import type { Launch } from '@chartside/protocol/payloads'
import { Timestamp } from '@chartside/ui'
import { Section } from '../../parts/page-head.tsx'
import { describeChartChange } from './launch-words.ts'

export function LaterEvents({ launch }: { readonly launch: Launch }) {
  const events = launch.steps.filter(({ step }) => step === 'chart_changed' || step === 'logout')
  if (events.length === 0) return null
  return (
    <Section title="Afterwards" about="Charts beside it, and the notice of its end.">
      <ol class="card padded">
        {events.map((event) => (
          <li key={event.at}>
            <Timestamp at={Date.parse(event.at)} now={Date.now()} />{' '}
            {event.step === 'logout' ? event.cause : describeChartChange(event)}
          </li>
        ))}
      </ol>
    </Section>
  )
}
