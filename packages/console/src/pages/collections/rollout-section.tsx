// The newest version beside the one before it: how many practices have each, and how their launches of the week did.
// One press gives the newest to all, another one takes it back.
/** @jsxImportSource preact */
import type { Collection, Rollout } from '@chartside/protocol/payloads'
import { Button, type Column, formatCount, Table } from '@chartside/ui'
import { giveVersion, loadRollout } from '../../api/collections.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { percent } from '../../parts/percent.ts'
import { notify } from '../../shell/announcements.ts'
import { describeRollout } from './rollout-words.ts'

export interface RolloutSectionProps {
  readonly collection: Collection
  readonly mayChange: boolean
  /** The practices below run another version from now on. */
  readonly onGiven: () => void
}

export function RolloutSection({ collection, mayChange, onGiven }: RolloutSectionProps) {
  const { id, latestVersion } = collection
  const load = useRecord((signal) => loadRollout(id, { signal }), `${id} ${latestVersion}`)
  const giving = useAction()
  const give = (isToAll: boolean) =>
    giving.run(async () => {
      await giveVersion(id, latestVersion, isToAll ? 'all' : { accountIds: [] })
      const what = isToAll ? 'is given to all practices' : 'is taken back'
      notify(
        'good',
        `Version ${latestVersion} ${what}. EHR sessions that open from now on show it.`,
      )
      load.reload()
      onGiven()
    })
  const { following = 0, givenTo = 0 } = load.data ?? {}
  const actions = mayChange && load.data && (
    <>
      {givenTo < following && (
        <Button tone="primary" isBusy={giving.isBusy} onPress={() => void give(true)}>
          Give it to all
        </Button>
      )}
      {givenTo > 0 && (
        <Button tone="danger" isBusy={giving.isBusy} onPress={() => void give(false)}>
          Take it back
        </Button>
      )}
    </>
  )
  return (
    <Section
      title={`Version ${latestVersion} beside version ${latestVersion - 1}`}
      about={load.data && describeRollout(load.data)}
      actions={actions}
    >
      {giving.problem && <FormProblem problem={giving.problem} />}
      <Loaded load={load} what="how the version does">
        {(rollout) => (
          <div class="card list-card">
            <Table
              caption="Versions"
              isCaptionHidden
              rows={rollout.versions}
              rowId={({ version }) => String(version)}
              columns={columnsOf(rollout)}
            />
          </div>
        )}
      </Loaded>
    </Section>
  )
}

type Row = Rollout['versions'][number]

const columnsOf = ({ following, givenTo, versions }: Rollout): readonly Column<Row>[] => [
  { id: 'version', label: 'Version', render: ({ version }) => `Version ${version}` },
  {
    id: 'practices',
    label: 'Practices that follow',
    isNumber: true,
    render: (row) => formatCount(row === versions[0] ? givenTo : following - givenTo),
  },
  {
    id: 'launches',
    label: 'Launches this week',
    isNumber: true,
    render: ({ launches }) => formatCount(launches),
  },
  {
    id: 'ready',
    label: 'Opened well',
    isNumber: true,
    render: ({ readyShare }) => (readyShare === null ? '–' : percent(readyShare)),
  },
]
