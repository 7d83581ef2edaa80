// One run of the fault studio: grade, five bars, what changed since the run before, and each fault with its checks.
// The address can be sent, and names the fault that was opened last. Staging only. Decision 84.
/** @jsxImportSource preact */
import type { App, FaultRun } from '@chartside/protocol/payloads'
import { CopyButton, type FaultKeys, FaultReport, Timestamp } from '@chartside/ui'
import { loadApp, loadFaultRun } from '../../api/apps.ts'
import { useShortcut } from '../../keys/shortcuts.ts'
import { useRecord } from '../../load/use-record.ts'
import { copyText } from '../../parts/copy-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { PageProps } from '../../route/page-entry.ts'
import type { Scope } from '../../session/scopes.ts'
import { nameOfGrade } from './fault-run-words.ts'

export default function FaultRunPage({ params: { id = '', runId = '' }, scope }: PageProps) {
  const load = useRecord(async (signal) => {
    const [{ data: app }, run] = await Promise.all([
      loadApp(id, { signal }),
      loadFaultRun(id, runId, { signal }),
    ])
    return { app, run }
  }, `${id} ${runId}`)
  return (
    <Loaded load={load} what="the fault run">
      {({ app, run }) => <OneRun app={app} run={run} scope={scope} />}
    </Loaded>
  )
}

interface OneRunProps {
  readonly app: App
  readonly run: FaultRun
  readonly scope: Scope
}

function OneRun({ app, run, scope }: OneRunProps) {
  return (
    <>
      <PageHead
        title={`Fault run: ${nameOfGrade(run.grade)}`}
        crumbs={[
          { label: 'Apps', address: scopedAddress(scope, 'apps') },
          { label: app.name, address: scopedAddress(scope, `apps/${encodeURIComponent(app.id)}`) },
        ]}
        about={
          <>
            Handed in <Timestamp at={Date.parse(run.receivedAt)} now={Date.now()} />. The grade is
            made from the checks below.
          </>
        }
        actions={
          <CopyButton
            text={location.href}
            label="Copy the link"
            isCompact={false}
            copy={() => copyText(location.href)}
          />
        }
      />
      <div class="fault-run">
        <FaultReport run={run} before={run.before} useKeys={useFaultShortcuts} />
      </div>
    </>
  )
}

/** The keys of the list, so that the help names them and the switch for keys counts for them too. */
function useFaultShortcuts({ move, toggleFailed }: FaultKeys) {
  useShortcut({ keys: 'j', label: 'Next fault', group: 'On this page' }, () => move(1))
  useShortcut({ keys: 'k', label: 'Fault before', group: 'On this page' }, () => move(-1))
  useShortcut({ keys: 'f', label: 'Not handled only', group: 'On this page' }, toggleFailed)
}
