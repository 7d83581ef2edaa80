// Where an app is stopped: on which EHRs, and in which practices; since when and why, and who did it for those who may
// know. Those who may let it run again.
/** @jsxImportSource preact */
import type { App, AppStops } from '@chartside/protocol/payloads'
import { Button, NoticeStrip, Timestamp } from '@chartside/ui'
import { letAppRun, letRunOnEhr, loadAppStops, loadEhrStops } from '../../api/running.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { isAllowedIn, type Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

export interface StoppedStripProps {
  readonly app: App
  readonly scope: Scope
  /** Grows with each stop on this page. */
  readonly turn: number
}

export function StoppedStrip({ app, scope, turn }: StoppedStripProps) {
  const load = useRecord((signal) => loadAppStops(app.id, { signal }), `${app.id} ${turn}`)
  const resuming = useAction()
  const { count = 0, stops = [] } = load.data ?? {}
  if (count === 0) return null
  const resume = ({ id, name }: Stop['account']) =>
    resuming.run(async () => {
      await letAppRun(id, app.id)
      notify('good', `${app.name} runs in ${name} again.`)
      load.reload()
    })
  return (
    <>
      {resuming.problem && <FormProblem problem={resuming.problem} />}
      <NoticeStrip
        tone="warn"
        icon="power"
        title={`${app.name} is stopped in ${count === 1 ? stops[0]?.account.name : `${count} practices`}`}
        text={
          <>
            {stops.map((stop) => (
              <span key={stop.account.id} class="stop">
                <StopNote stop={stop} place={count > 1 ? stop.account.name : undefined} />
                {stop.by && isAllowedIn(scope, 'run') && (
                  <Button
                    isCompact
                    isBusy={resuming.isBusy}
                    onPress={() => void resume(stop.account)}
                  >
                    Let it run again<span class="unseen"> in {stop.account.name}</span>
                  </Button>
                )}
              </span>
            ))}
            {count > stops.length && `And ${count - stops.length} more.`}
          </>
        }
      />
    </>
  )
}

type Stop = AppStops['stops'][number]

interface StopNoteProps {
  readonly stop: Pick<Stop, 'at' | 'by' | 'reason'>
  /** The place, when the title does not say it. */
  readonly place: string | undefined
}

const StopNote = ({ stop: { at, by, reason }, place }: StopNoteProps) => (
  <span>
    {place !== undefined && <strong>{place}: </strong>}
    {by ? `${by.name}, ` : ''}
    <Timestamp at={Date.parse(at)} now={Date.now()} />: “{reason}”
  </span>
)

/** Shows the stops of every practice to those who develop the app. */
export function EhrStopsStrip({ app, scope, turn }: StoppedStripProps) {
  const load = useRecord((signal) => loadEhrStops(app.id, { signal }), `${app.id} ${turn}`)
  const resuming = useAction()
  const isOfPlatform = scope.role === 'platform'
  const resume = (ehrType: string) =>
    resuming.run(async () => {
      await letRunOnEhr(app.id, ehrType)
      notify('good', `${app.name} runs on ${ehrType} again.`)
      load.reload()
    })
  return (
    <>
      {resuming.problem && <FormProblem problem={resuming.problem} />}
      {(load.data?.ehrs ?? []).map(({ ehrType, stopped }) => {
        if (!stopped) return null
        const isPlatforms = stopped.side === 'platform'
        return (
          <NoticeStrip
            key={ehrType}
            tone="warn"
            icon="power"
            title={`${app.name} is switched off on ${ehrType}${isPlatforms ? ' by the platform' : ''}`}
            text={<StopNote stop={stopped} place={undefined} />}
            action={
              (!isPlatforms || isOfPlatform) &&
              isAllowedIn(scope, 'develop') && (
                <Button isCompact isBusy={resuming.isBusy} onPress={() => void resume(ehrType)}>
                  Let it run again<span class="unseen"> on {ehrType}</span>
                </Button>
              )
            }
          />
        )
      })}
    </>
  )
}
