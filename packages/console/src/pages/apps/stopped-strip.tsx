// The practices that have stopped an app: which, since when and why, and who for those who administer the practice. They
// let it run again here.
/** @jsxImportSource preact */
import type { App, AppStops } from '@chartside/protocol/payloads'
import { Button, NoticeStrip, Timestamp } from '@chartside/ui'
import { letAppRun, loadAppStops } from '../../api/running.ts'
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
                <StopNote stop={stop} isNamed={count > 1} />
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

const StopNote = ({ stop, isNamed }: { readonly stop: Stop; readonly isNamed: boolean }) => (
  <span>
    {isNamed && <strong>{stop.account.name}: </strong>}
    {stop.by ? `${stop.by.name}, ` : ''}
    <Timestamp at={Date.parse(stop.at)} now={Date.now()} />: “{stop.reason}”
  </span>
)
