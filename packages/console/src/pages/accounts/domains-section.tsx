// The e-mail domains of an account: each with the record that proves it, what the last look at DNS found, a look now,
// and its removal.
/** @jsxImportSource preact */
import type { Account, Domain } from '@chartside/protocol/payloads'
import { Button, CopyButton, EmptyState, Pill, Timestamp } from '@chartside/ui'
import { checkDomain, createDomain, listDomains, removeDomain } from '../../api/domains.ts'
import { ConfirmActionDialog } from '../../forms/dialogs.tsx'
import { FormProblem } from '../../forms/form-frame.tsx'
import { TextDialog } from '../../forms/text-dialog.tsx'
import { useAction } from '../../forms/use-action.ts'
import { useOpen } from '../../forms/use-open.ts'
import { useList } from '../../load/use-list.ts'
import { copyText } from '../../parts/copy-text.ts'
import { LoadedList } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'
import { announce, notify } from '../../shell/announcements.ts'

export function DomainsSection({ account: { id } }: { readonly account: Account }) {
  const list = useList((_cursor, signal) => listDomains(id, { signal }), id)
  const adding = useOpen()
  return (
    <Section
      title="E-mail domains"
      about="With a verified domain, members type their e-mail address at “Sign in with your practice” in place of the short name."
      actions={
        <Button icon="plus" onPress={adding.open}>
          Add a domain
        </Button>
      }
    >
      <LoadedList
        list={list}
        what="the domains"
        empty={
          <EmptyState icon="key" title="No domain yet">
            <p class="quiet">You need access to the DNS of the domain.</p>
          </EmptyState>
        }
      >
        {(domains) => (
          <>
            {domains.map((domain) => (
              <DomainCard key={domain.id} accountId={id} domain={domain} onChanged={list.reload} />
            ))}
          </>
        )}
      </LoadedList>
      <TextDialog
        isOpen={adding.isOpen}
        title="Add a domain"
        submit="Add"
        name="domain"
        label="Domain"
        hint="What follows the @ in the addresses of your people, such as lakeside.example."
        onClose={adding.close}
        save={async (domain) => {
          await createDomain(id, domain)
          notify('good', 'Added. Now add its record to the DNS of the domain.')
          list.reload()
        }}
      />
    </Section>
  )
}

interface DomainCardProps {
  readonly accountId: string
  readonly domain: Domain
  readonly onChanged: () => void
}

function DomainCard({ accountId, domain, onChanged }: DomainCardProps) {
  const { id, domain: name } = domain
  const action = useAction()
  const removing = useOpen()
  const check = () =>
    action.run(async () => {
      const { finding } = await checkDomain(accountId, id)
      announce(finding?.cause ?? '')
      onChanged()
    })
  const remove = async () => {
    if (!(await action.run(() => removeDomain(accountId, id)))) return
    notify('good', `${name} is removed.`)
    removing.close()
    onChanged()
  }
  return (
    <section class="padded stack" aria-label={name}>
      <DomainFacts domain={domain} />
      {action.problem && !removing.isOpen && <FormProblem problem={action.problem} />}
      <div class="row">
        <Button isBusy={action.isBusy} onPress={() => void check()}>
          Check now<span class="unseen"> {name}</span>
        </Button>
        <Button tone="danger" onPress={removing.open}>
          Remove<span class="unseen"> {name}</span>
        </Button>
      </div>
      <ConfirmActionDialog
        isOpen={removing.isOpen}
        title={`Remove ${name}?`}
        button="Remove it"
        action={action}
        onConfirm={() => void remove()}
        onClose={removing.close}
      >
        <p>
          Its addresses lead nowhere at the sign-in page, and no one joins by them. Members keep
          their access.
        </p>
      </ConfirmActionDialog>
    </section>
  )
}

const STATES = {
  pending: { tone: 'warn', icon: 'clock', label: 'Not verified yet' },
  verified: { tone: 'good', icon: 'check', label: 'Verified' },
  lapsed: { tone: 'bad', icon: 'cross', label: 'Lapsed' },
} as const

function DomainFacts({
  domain: { domain, state, record, finding, checkedAt },
}: Pick<DomainCardProps, 'domain'>) {
  const { tone, icon, label } = STATES[state]
  return (
    <>
      <div class="spread">
        <h3>{domain}</h3>
        <Pill tone={tone} icon={icon}>
          {label}
        </Pill>
      </div>
      <dl class="facts">
        <div>
          <dt>Name of the TXT record</dt>
          <dd class="copied">
            <code>{record.name}</code>
            <CopyButton text={record.name} label="Copy the name" copy={copyText} />
          </dd>
        </div>
        <div>
          <dt>Value</dt>
          <dd class="copied">
            <code>{record.value}</code>
            <CopyButton text={record.value} label="Copy the value" copy={copyText} />
          </dd>
        </div>
        {checkedAt !== null && (
          <div>
            <dt>Last look</dt>
            <dd>
              <Timestamp at={Date.parse(checkedAt)} now={Date.now()} />
            </dd>
          </div>
        )}
      </dl>
      {finding && finding.code !== 'proved' && (
        <div role="status">
          <p>{finding.cause}</p>
          {finding.fix && <p class="quiet">{finding.fix}</p>}
        </div>
      )}
    </>
  )
}
