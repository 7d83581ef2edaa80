// Verdict card, evidence and waterfall on the page of all parts: a launch whose exchange was refused,
// with invented data.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { Button, type Span, VerdictCard, Waterfall } from '../../src/index.ts'

const SPANS: readonly Span[] = [
  {
    id: 'open',
    name: 'Frame',
    detail: 'created → opened',
    party: 'host',
    startMs: 0,
    durationMs: 157,
    usualMs: 140,
  },
  {
    id: 'load',
    name: 'Page load',
    detail: 'opened → authorize',
    party: 'page',
    startMs: 157,
    durationMs: 534,
    usualMs: 210,
  },
  {
    id: 'code',
    name: 'Authorize',
    detail: 'authorize → code',
    party: 'service',
    startMs: 691,
    durationMs: 4,
    usualMs: 4,
  },
  {
    id: 'first',
    name: 'Callback',
    detail: 'tried again after SERVER_UNREACHABLE',
    party: 'page',
    startMs: 695,
    durationMs: 61,
    isLate: true,
  },
  {
    id: 'prepare',
    name: 'Callback',
    detail: 'callback → exchange',
    party: 'server',
    startMs: 756,
    durationMs: 338,
    usualMs: 180,
  },
  {
    id: 'exchange',
    name: 'Exchange',
    detail: '401 invalid_client',
    party: 'service',
    startMs: 1094,
    durationMs: 6,
    isFailed: true,
  },
  { id: 'hello', name: 'Handshake', party: 'page', startMs: null, durationMs: 0, usualMs: 60 },
  {
    id: 'context',
    name: 'Context',
    party: 'host',
    startMs: null,
    durationMs: 0,
    usualMs: 40,
  },
]

export function LaunchParts() {
  const selected = useSignal<string | null>('exchange')
  return (
    <section class="part" aria-labelledby="launch-parts">
      <h2 id="launch-parts">One launch</h2>
      <VerdictCard
        tone="bad"
        title="The app’s server sent a client secret that was retired two days ago"
        cause="Dana Developer retired it on Nov 19 at 9:14 AM; this server still sends it. The code is spent, so this launch cannot be repaired."
        evidence={[
          { name: 'client_id', value: 'cli_9f3c21ab, this app', isGood: true },
          {
            name: 'Secret sent',
            value: 'cs_…f8Q2, retired Nov 19 by Dana Developer',
            isGood: false,
          },
          { name: 'Live secret', value: '“Production 2026-11”, never used', isGood: null },
          { name: 'Caller', value: '203.0.113.20, United States', isGood: true },
        ]}
        who="Sample Apps Inc."
        steps={[
          'Put the secret “Production 2026-11” on the app’s server.',
          'Lost it? Make a new secret; it is shown once.',
          'Launch the app again. Nothing else has to change.',
        ]}
        action={<Button tone="primary">Send this to Dana Developer</Button>}
        note="14 launches in 3 practices failed like this since 5:52 PM."
      />
      <Waterfall
        label="Where the time went"
        spans={SPANS}
        partyNames={{ host: 'Host', page: 'App page', server: 'App server', service: 'Chartside' }}
        selected={selected.value}
        onSelect={(id) => {
          selected.value = id
        }}
      />
    </section>
  )
}
