// Records on the page of all parts: table, code with secrets cut, difference, times.
// Invented data; nothing here talks to a server.
/** @jsxImportSource preact */
import {
  CodeBlock,
  type Column,
  Diff,
  Duration,
  diffLines,
  StateBadge,
  type StateName,
  StepStrip,
  Table,
  Timestamp,
} from '../../src/index.ts'

const NOW = Date.UTC(2026, 10, 21, 23, 25)
const ZONE = 'America/New_York'
const copy = async () => {}

interface LaunchRow {
  readonly id: string
  readonly app: string
  readonly state: StateName
  readonly detail: string
  readonly at: number
  readonly ms: number
  readonly steps: readonly ('ok' | 'failed' | 'never')[]
}

const OK = Array.from({ length: 7 }, () => 'ok' as const)
const ROWS: readonly LaunchRow[] = [
  {
    id: '1',
    app: 'Visit Notes',
    state: 'failed',
    detail: 'exchange',
    at: NOW - 215_000,
    ms: 1106,
    steps: ['ok', 'ok', 'ok', 'ok', 'failed', 'never', 'never'],
  },
  { id: '2', app: 'Care Gaps', state: 'ready', detail: '', at: NOW - 300_000, ms: 246, steps: OK },
  {
    id: '3',
    app: 'Coding Watch',
    state: 'ended',
    detail: 'signed out',
    at: NOW - 86_400_000,
    ms: 10_107,
    steps: OK,
  },
]
const COLUMNS: readonly Column<LaunchRow>[] = [
  { id: 'app', label: 'App', render: ({ app }) => app },
  {
    id: 'state',
    label: 'State',
    render: ({ state, detail }) => <StateBadge state={state} detail={detail} />,
  },
  {
    id: 'steps',
    label: 'Steps',
    render: ({ steps }) => (
      <StepStrip
        steps={steps}
        label={`${steps.filter((step) => step === 'ok').length} of 7 steps`}
      />
    ),
  },
  {
    id: 'at',
    label: 'Started',
    render: ({ at }) => <Timestamp at={at} now={NOW} timeZone={ZONE} />,
  },
  { id: 'ms', label: 'Took', isNumber: true, render: ({ ms }) => <Duration ms={ms} /> },
]
const REQUEST = `POST /app-auth/token  203.0.113.20
content-type: application/json

{ "grant_type": "authorization_code",
  "code": "code_01m8qkzv3n5t7w9y2a4c6eXAMPLEXAMPLEXAMPLE",
  "client_id": "cli_9f3c21ab",
  "client_secret": "cs_example_00000000000000000000f8Q2" }`

export function Records() {
  return (
    <section class="part" aria-labelledby="records">
      <h2 id="records">Records</h2>
      <div class="examples">
        <div class="card wide-example">
          <Table caption="Launches" columns={COLUMNS} rows={ROWS} rowId={({ id }) => id} />
        </div>
        <CodeBlock
          title="Request, as it arrived"
          text={REQUEST}
          copy={copy}
          copyLabel="Copy as curl"
        />
        <Diff
          label="Draft against version 7"
          lines={diffLines(
            [
              'Visit Notes opens automatically on Meadow EHR',
              'Care Gaps runs on Meadow EHR',
              'Rx Compare runs on Summit Clinical',
            ],
            [
              'Visit Notes opens automatically on Meadow EHR',
              'Care Gaps runs on Meadow EHR and Summit Clinical',
              'Rx Compare runs on Summit Clinical',
              'Intake runs on Meadow EHR',
            ],
          )}
        />
      </div>
    </section>
  )
}
