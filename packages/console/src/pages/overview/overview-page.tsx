// The first page of a scope: is it well, what is left to set up, for those who set up, then where everything is.
// Who works in an EHR reads where apps open; who runs an account, what its members reported.
/** @jsxImportSource preact */
import { CopyButton, Icon } from '@chartside/ui'
import { guideAddress } from '../../installation.ts'
import { useRecord } from '../../load/use-record.ts'
import { copyText } from '../../parts/copy-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead, Section } from '../../parts/page-head.tsx'
import type { PageProps } from '../../route/page-entry.ts'
import { isSeenIn } from '../../session/scopes.ts'
import { describeScope } from '../../shell/account-switcher.tsx'
import { listItems } from '../../shell/navigation.tsx'
import type { Step } from './app-steps.ts'
import { HealthPanel } from './health-panel.tsx'
import { ReportedProblems } from './reported-problems.tsx'
import { loadSteps } from './steps.ts'

export default function OverviewPage({ scope }: PageProps) {
  const load = useRecord((signal) => loadSteps(scope, { signal, isBackground: true }), scope.id)
  const items = listItems(scope).filter(({ entry }) => entry.path !== '')
  const isProvider = !isSeenIn(scope, 'develop')
  return (
    <>
      <PageHead title={scope.name} about={describeScope(scope)} />
      {isProvider ? (
        <Section title="Your apps">
          <p class="card padded">
            Apps open beside the chart: open the EHR, press the Chartside button of the browser, and
            sign in there. Here you see your own launches and settings.
          </p>
        </Section>
      ) : (
        <>
          <HealthPanel scope={scope} />
          <Loaded load={load} what="what is set up">
            {(steps) => steps.length > 0 && <Steps steps={steps} />}
          </Loaded>
        </>
      )}
      {scope.kind === 'account' && isSeenIn(scope, 'run') && <ReportedProblems scope={scope} />}
      <Section title="Where everything is">
        <ul class="tiles">
          {items.map(({ entry, label, icon, address }) => (
            <li key={`${entry.path} ${label}`} class="card">
              <a class="tile" href={address}>
                <Icon name={icon} />
                <strong>{label}</strong>
              </a>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function GuideLink({ page, text }: { readonly page: string; readonly text: string }) {
  const address = guideAddress(page)
  return address === undefined ? null : (
    <>
      <a href={address}>{text}</a>.
    </>
  )
}

function describeLeft(left: number): string {
  if (left === 0) return 'Every step here is done.'
  return left === 1 ? 'One step is left.' : `${left} steps are left.`
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const left = steps.filter(({ isDone }) => !isDone).length
  const shown = left === 0 ? steps.filter(({ isLasting }) => isLasting) : steps
  if (shown.length === 0) return null
  return (
    <Section title="Set up" about={describeLeft(left)}>
      <ol class="card steps">
        {shown.map(({ title, text, isDone, address, guide, copy }) => (
          <li key={title} class={isDone ? 'done' : undefined}>
            <span class={`step-mark tone-${isDone ? 'good' : 'quiet'}`}>
              {isDone ? <Icon name="check" /> : null}
              <span class="unseen">{isDone ? 'Done' : 'To do'}</span>
            </span>
            <span>
              <strong>{title}</strong>
              <span class="below">
                {text} {guide && <GuideLink {...guide} />}
              </span>
              {copy && !isDone && <CopyButton {...copy} copy={copyText} />}
            </span>
            <a class={isDone ? 'button compact bare' : 'button compact'} href={address}>
              {isDone ? 'Show' : 'Begin'}
              <span class="unseen">: {title}</span>
            </a>
          </li>
        ))}
      </ol>
    </Section>
  )
}
