// The changes of the chart beside a launch, one line each: how it was handled, and how long no app was
// shown. Nothing tells which chart it was.
/** @jsxImportSource preact */
import type { Launch } from '@chartside/protocol/payloads'
import { Timestamp } from '@chartside/ui'
import { Section } from '../../parts/page-head.tsx'
import { describeChartChange } from './launch-words.ts'

export function ChartChanges({ launch }: { readonly launch: Launch }) {
  const changes = launch.steps.filter(({ step }) => step === 'chart_changed')
  if (changes.length === 0) return null
  return (
    <Section title="Charts beside it" about="How the host handled each change of the chart.">
      <ol class="card padded">
        {changes.map((change) => (
          <li key={change.at}>
            <Timestamp at={Date.parse(change.at)} now={Date.now()} /> {describeChartChange(change)}
          </li>
        ))}
      </ol>
    </Section>
  )
}
