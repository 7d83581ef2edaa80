// The newest version beside the one before it: how many practices have each, and how their launches of the week did.
// One press gives the newest to all, another one takes it back, a third ends the EHR sessions that still show it.
/** @jsxImportSource preact */
import type { CollectionVersion, Rollout } from '@chartside/protocol/payloads'
import { Button, type Column, formatCount, formatMoment, NoticeStrip, Table } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { giveVersion, loadRollout } from '../../api/collections.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { percent } from '../../parts/percent.ts'
import { notify } from '../../shell/announcements.ts'
import { describeOpen, describeRollout, describeWidening } from './rollout-words.ts'

export interface RolloutSectionProps {
  readonly newest: CollectionVersion
  readonly mayChange: boolean
  /** The practices below run another version from now on. */
  readonly onGiven: () => void
}

export function RolloutSection({ newest, mayChange, onGiven }: RolloutSectionProps) {
  const { collectionId: id, version } = newest
  const load = useRecord((signal) => loadRollout(id, { signal }), `${id} ${version}`)
  const giving = useAction()
  const change = (body: Parameters<typeof giveVersion>[2], said: string) =>
    giving.run(async () => {
      await giveVersion(id, version, body)
      notify('good', said)
      load.reload()
      onGiven()
    })
  const give = (isToAll: boolean) =>
    change(
      { audience: isToAll ? 'all' : { accountIds: [] } },
      isToAll
        ? `Version ${version} is given to all practices. EHR sessions that open from now on show it.`
        : `Version ${version} is taken back. EHR sessions that open from now on show the version before.`,
    )
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
      title={`Version ${version} beside version ${version - 1}`}
      about={load.data && describeRollout(load.data)}
      actions={actions}
    >
      {giving.problem && <FormProblem problem={giving.problem} />}
      <WideningStrip
        newest={newest}
        isBusy={giving.isBusy}
        onKeep={
          mayChange
            ? () =>
                void change(
                  { audience: 'kept', widen: null },
                  `Version ${version} stays where it is until you give it to all.`,
                )
            : undefined
        }
      />
      {mayChange && load.data && load.data.openElsewhere > 0 && (
        <StillOpen
          version={version}
          count={load.data.openElsewhere}
          end={() =>
            change(
              { audience: 'kept', endSessions: true },
              `The open EHR sessions of version ${version} have ended where it is not given.`,
            )
          }
          action={giving}
        />
      )}
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

interface WideningStripProps {
  readonly newest: CollectionVersion
  readonly isBusy: boolean
  readonly onKeep: (() => void) | undefined
}

function WideningStrip({ newest: { widening }, isBusy, onKeep }: WideningStripProps) {
  if (!widening) return null
  const { title, text } = describeWidening(widening, (at) =>
    formatMoment(Date.parse(at), Date.now()),
  )
  return (
    <NoticeStrip
      tone={widening.stopped ? 'warn' : 'accent'}
      icon={widening.stopped ? 'alert' : 'clock'}
      title={title}
      text={text}
      action={
        onKeep &&
        !widening.stopped && (
          <Button isCompact isBusy={isBusy} onPress={onKeep}>
            Keep it where it is
          </Button>
        )
      }
    />
  )
}

interface StillOpenProps {
  readonly version: number
  readonly count: number
  readonly action: ReturnType<typeof useAction>
  readonly end: () => Promise<boolean>
}

/** A version that was taken back stays in open EHR sessions: the person decides, because text that is not saved is lost. */
function StillOpen({ version, count, action, end }: StillOpenProps) {
  const isAsking = useSignal(false)
  const close = () => {
    isAsking.value = false
  }
  return (
    <>
      <NoticeStrip
        tone="warn"
        icon="alert"
        title={describeOpen(count, version)}
        text="They keep it until they end. The practices get the version before with their next EHR session."
        action={
          <Button
            isCompact
            tone="danger"
            onPress={() => {
              isAsking.value = true
            }}
          >
            End them now…
          </Button>
        }
      />
      {isAsking.value && (
        <ConfirmActionDialog
          isOpen
          title={`End the EHR sessions that show version ${version}?`}
          button="End them"
          cancel="Let them go on"
          action={action}
          onConfirm={() => void end().then((isDone) => isDone && close())}
          onClose={close}
        >
          <p>
            Their apps close within a second, and text that is not saved is lost. Providers stay
            signed in: one press opens the apps of the version before.
          </p>
        </ConfirmActionDialog>
      )}
    </>
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
