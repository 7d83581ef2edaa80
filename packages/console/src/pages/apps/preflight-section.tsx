// Asks the service to visit the registered pages of an app as the panel would open them, and shows what
// stands in the way: each finding with its cause, its fix and the missing thing.
/** @jsxImportSource preact */
import type { App, LastPreflight, Preflight } from '@chartside/protocol/payloads'
import { Button, Duration, Icon, Pill, Timestamp } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { loadLastPreflight, runPreflight } from '../../api/apps.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useRecord } from '../../load/use-record.ts'
import { Section } from '../../parts/page-head.tsx'
import { announce } from '../../shell/announcements.ts'

export function PreflightSection({ app }: { readonly app: App }) {
  const action = useAction()
  const load = useRecord((signal) => loadLastPreflight(app.id, { signal }), app.updatedAt)
  const last = load.data?.last
  const result = useSignal<Preflight | undefined>(undefined)
  const check = () =>
    action.run(async () => {
      result.value = await runPreflight(app.id)
      announce(`Checked: ${OUTCOMES[result.value.outcome].words}`)
    })
  return (
    <Section
      title="Pre-flight"
      anchor="pre-flight"
      about="Chartside opens the registered addresses and reads what a page cannot read itself: framing rules, cookies, redirects."
      actions={
        <Button icon="search" isBusy={action.isBusy} onPress={() => void check()}>
          {result.value ? 'Check again' : 'Check the pages'}
        </Button>
      }
    >
      {action.problem && <FormProblem problem={action.problem} />}
      {result.value ? <Result preflight={result.value} /> : last && <Last last={last} />}
    </Section>
  )
}

const OUTCOMES = {
  passed: { tone: 'good', icon: 'check', words: 'All good' },
  warning: { tone: 'warn', icon: 'alert', words: 'Works, with warnings' },
  failed: { tone: 'bad', icon: 'cross', words: 'Will not work' },
} as const

function Last({ last }: { readonly last: NonNullable<LastPreflight['last']> }) {
  return (
    <p class="quiet">
      Last check <Timestamp at={Date.parse(last.checkedAt)} now={Date.now()} />:{' '}
      {OUTCOMES[last.outcome].words}.
      {!last.isCurrent && ' Addresses or host origins have changed since: check again.'}
    </p>
  )
}

type PageResult = Preflight['pages'][number]
type Finding = PageResult['findings'][number]

const USES = {
  launch: 'Launch URL',
  worker_launch: 'Worker',
  redirect: 'Redirect URI',
  backchannel_logout: 'Logout address',
} as const

function Result({ preflight }: { readonly preflight: Preflight }) {
  return (
    <div class="preflight">
      {preflight.pages.map((page) => (
        <PageCard key={page.url} page={page} />
      ))}
      {preflight.notChecked.length > 0 && (
        <p class="quiet">Not checked: {preflight.notChecked.join(', ')}</p>
      )}
    </div>
  )
}

function PageCard({ page }: { readonly page: PageResult }) {
  const { tone, icon, words } = OUTCOMES[page.outcome]
  return (
    <section class="card padded preflight-page" aria-label={page.url}>
      <header>
        <code>{page.url}</code>
        <Pill tone={tone} icon={icon}>
          {words}
        </Pill>
      </header>
      <p class="quiet">
        {page.uses.map((use) => USES[use]).join(', ')}
        {page.status !== undefined && `, answered ${page.status}`}
        {page.milliseconds !== undefined && (
          <>
            {' in '}
            <Duration ms={page.milliseconds} />
          </>
        )}
      </p>
      <ul class="findings">
        {page.findings.map((finding) => (
          <FindingItem key={finding.code} finding={finding} />
        ))}
      </ul>
    </section>
  )
}

const GLYPHS = {
  passed: { icon: 'check', words: 'Good: ' },
  warning: { icon: 'alert', words: 'Warning: ' },
  failed: { icon: 'cross', words: 'Problem: ' },
} as const

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { icon, words } = GLYPHS[finding.outcome as keyof typeof GLYPHS] ?? GLYPHS.warning
  return (
    <li class={`finding ${finding.outcome}`}>
      <Icon name={icon} />
      <div>
        <p>
          <span class="unseen">{words}</span>
          {finding.cause}
        </p>
        {finding.fix && <p class="quiet">{finding.fix}</p>}
        {finding.seen && (
          <p>
            <small class="quiet">Sent</small> <code>{finding.seen}</code>
          </p>
        )}
        {finding.missing && (
          <p>
            <small class="quiet">Missing</small> <code>{finding.missing}</code>
          </p>
        )}
      </div>
    </li>
  )
}
