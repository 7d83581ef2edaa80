// The version that an account runs: what came with it or waits to be taken, and whether new ones come by
// themselves. Another version counts from the next EHR session on.
/** @jsxImportSource preact */
import type { Running } from '@chartside/protocol/payloads'
import { Button, Timestamp } from '@chartside/ui'
import { chooseVersion, type VersionChoice } from '../../api/collections.ts'
import { ApiProblem } from '../../api/problem.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { ChangeList } from '../../parts/change-list.tsx'
import { Section } from '../../parts/page-head.tsx'
import { describeChanges } from '../../parts/version-changes.ts'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

/** Another administrator was faster, or the version was taken back: nothing is saved, and the page shows it anew. */
const REFUSED = ['precondition_failed', 'invalid_request']

export interface VersionSectionProps {
  readonly running: Running
  /** The version of the account, as the person sees it. */
  readonly etag: string | undefined
  readonly scope: Scope
  readonly onChanged: () => void
}

export function VersionSection({ running, etag, scope, onChanged }: VersionSectionProps) {
  const action = useAction()
  const { collection, version, follows, change } = running
  if (!collection || version === null) return null
  const choose = (chosen: VersionChoice, done: string) =>
    void action.run(async () => {
      try {
        await chooseVersion(scope.id, { id: collection.id, version: chosen }, etag)
        notify('good', done)
      } catch (error) {
        if (!(error instanceof ApiProblem && REFUSED.includes(error.code))) throw error
        notify('bad', 'What runs here has changed meanwhile. Look at it as it is now.')
      }
      onChanged()
    })
  const takeIt = (newer: number) =>
    choose(newer, `${scope.name} runs version ${newer} from the next EHR session on.`)
  const isPinned = follows !== 'latest'
  return (
    <Section title={`Version ${version}`}>
      <div class="card padded running-version">
        {action.problem && <FormProblem problem={action.problem} />}
        {change && (
          <>
            <h3>
              {change.isWaiting ? (
                `Version ${change.version} waits for you`
              ) : (
                <>
                  It came <Timestamp at={Date.parse(change.givenAt)} now={Date.now()} />
                </>
              )}
            </h3>
            <ChangeList lines={linesOf(change)} />
          </>
        )}
        {change?.isWaiting && (
          <Button tone="primary" isBusy={action.isBusy} onPress={() => takeIt(change.version)}>
            Take version {change.version}
          </Button>
        )}
        <p class="quiet">
          {isPinned
            ? 'A new version waits here until an administrator takes it.'
            : 'New versions come by themselves, from the next EHR session on.'}
        </p>
        <Button
          isCompact
          isBusy={action.isBusy}
          onPress={() =>
            isPinned
              ? choose('latest', 'New versions come by themselves again.')
              : choose(version, `A version after ${version} waits here until you take it.`)
          }
        >
          {isPinned ? 'Let new versions come by themselves' : 'Ask before a new version'}
        </Button>
      </div>
    </Section>
  )
}

function linesOf({ before, after, apps }: NonNullable<Running['change']>) {
  const names = new Map(apps.map(({ id, name }) => [id, name]))
  return describeChanges(before, after, (appId) => names.get(appId) ?? 'an app that was deleted')
}
