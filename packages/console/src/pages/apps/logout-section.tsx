// Logout notices to the server of an app: what became of the last ones, and a test that a developer sends.
// Shown once the app has an address, or had one.
/** @jsxImportSource preact */
import type { App, LogoutNotices, LogoutTest } from '@chartside/protocol/payloads'
import { Button, formatCount, Table, Timestamp } from '@chartside/ui'
import { formatDuration } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import { loadLogoutNotices, testLogout } from '../../api/apps.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { announce } from '../../shell/announcements.ts'
import { describeAnswer, describeOutcome, OutcomePill } from './notice-outcome.tsx'

export function LogoutSection({ app }: { readonly app: App }) {
  const url = app.backchannelLogoutUri
  const load = useRecord((signal) => loadLogoutNotices(app.id, { signal }), `${app.id} ${url}`)
  const result = useSignal<LogoutTest | undefined>(undefined)
  const action = useAction()
  const send = () =>
    action.run(async () => {
      result.value = await testLogout(app.id)
      announce(`Test: ${describeOutcome(result.value.outcome)}`)
    })
  if (url === undefined && load.data?.items.length === 0) return null
  return (
    <Section
      title="Logout notices"
      about="Your server is notified when an EHR session ends in which it exchanged a code."
      actions={
        url !== undefined && (
          <Button isBusy={action.isBusy} onPress={() => void send()}>
            Send a test
          </Button>
        )
      }
    >
      {action.problem && <FormProblem problem={action.problem} />}
      {result.value && <TestResult result={result.value} />}
      <Loaded load={load} what="the logout notices">
        {({ items }) => <Outcomes items={items} />}
      </Loaded>
    </Section>
  )
}

type Outcome = LogoutNotices['items'][number]

function TestResult({ result }: { readonly result: LogoutTest }) {
  return (
    <div class="card padded" role="status">
      <p>
        <OutcomePill outcome={result.outcome} /> {describeAnswer(result)} after{' '}
        {formatDuration(result.milliseconds)}
      </p>
      <p class="quiet">
        The test names a session and a user that never were. A good server answers 200 or 204.
      </p>
    </div>
  )
}

function Outcomes({ items }: { readonly items: readonly Outcome[] }) {
  if (items.length === 0) {
    return (
      <div class="card padded">
        <p class="quiet">No session has ended since the address was registered.</p>
      </div>
    )
  }
  return (
    <Table
      caption="Outcomes of logout notices"
      isCaptionHidden
      rows={items}
      rowId={({ outcome }) => outcome}
      columns={[
        { id: 'outcome', label: 'Outcome', render: (row) => <OutcomePill {...row} /> },
        {
          id: 'last',
          label: 'Last',
          render: ({ at }) => <Timestamp at={Date.parse(at)} now={Date.now()} />,
        },
        {
          id: 'count',
          label: 'Attempts',
          isNumber: true,
          render: ({ count }) => formatCount(count),
        },
        { id: 'answer', label: 'Last answer', render: (row) => describeAnswer(row) },
      ]}
    />
  )
}
