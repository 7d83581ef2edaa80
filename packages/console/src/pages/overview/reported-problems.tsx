// What the members of an account reported from the panel: the app, who and when, and their line. The service
// keeps reports for thirty days, and only administrators of the account read them.
/** @jsxImportSource preact */
import type { ProblemReport } from '@chartside/protocol/payloads'
import { Timestamp } from '@chartside/ui'
import { listProblemReports } from '../../api/accounts.ts'
import { useList } from '../../load/use-list.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { PersonLink } from '../../parts/person-link.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import type { Scope } from '../../session/scopes.ts'

const SHOWN_AT_ONCE = 5

export function ReportedProblems({ scope }: { readonly scope: Scope }) {
  const list = useList(
    (cursor, signal) =>
      listProblemReports(
        scope.id,
        { limit: SHOWN_AT_ONCE, cursor },
        { signal, isBackground: true },
      ),
    scope.id,
  )
  return (
    <Section title="Reported by your providers">
      <LoadedList
        list={list}
        what="the reported problems"
        empty={
          <p class="padded quiet">
            No report of the last 30 days. A member sends one from the panel, under{' '}
            <em>Report a problem</em>.
          </p>
        }
      >
        {(reports) => (
          <ul class="versions">
            {reports.map((report) => (
              <li key={report.id} class="version">
                <Report report={report} scope={scope} />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
    </Section>
  )
}

function Report({ report, scope }: { readonly report: ProblemReport; readonly scope: Scope }) {
  const { app, launchId, message, userId, userName, createdAt, traceId } = report
  const name = app?.name ?? 'No app is named'
  return (
    <>
      <header>
        {launchId === undefined ? (
          <strong>{name}</strong>
        ) : (
          <a href={scopedAddress(scope, `launches/${encodeURIComponent(launchId)}`)}>{name}</a>
        )}
        <span class="quiet small">
          <bdi>
            <PersonLink scope={scope} id={userId} name={userName} />
          </bdi>
          , <Timestamp at={Date.parse(createdAt)} now={Date.now()} />
          {traceId !== undefined && (
            <>
              , trace <code>{traceId}</code>
            </>
          )}
        </span>
      </header>
      <p dir="auto" class={message === undefined ? 'quiet' : undefined}>
        {message ?? 'Without a text.'}
      </p>
    </>
  )
}
