// Whether the app may be launched in a staging installation: only the platform grants it, so that an app
// that was not reviewed runs in no practice's tests. In other environments there is no such grant.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { Button } from '@chartside/ui'
import { changeApp } from '../../api/apps.ts'
import type { Answered } from '../../api/client.ts'
import { FormProblem } from '../../forms/form-frame.tsx'
import { useAction } from '../../forms/use-action.ts'
import { ENVIRONMENT } from '../../installation.ts'
import { Section } from '../../parts/page-head.tsx'
import type { Scope } from '../../session/scopes.ts'
import { notify } from '../../shell/announcements.ts'

interface StagingProps {
  readonly app: App
  readonly scope: Scope
  readonly onChanged: (read: Answered<App>) => void
}

export function StagingSection({ app, scope, onChanged }: StagingProps) {
  const action = useAction()
  if (ENVIRONMENT !== 'staging') return null
  const { name, stagingAccess } = app
  const change = () =>
    action.run(async () => {
      onChanged(await changeApp(app.id, { stagingAccess: !stagingAccess }))
      notify(
        'good',
        stagingAccess
          ? `Launches of ${name} are refused here from now on.`
          : `${name} may be launched here from now on.`,
      )
    })
  return (
    <Section title="Staging">
      {action.problem && <FormProblem problem={action.problem} />}
      <div class="card padded actions">
        <p>
          {stagingAccess
            ? 'The app may be launched in this staging installation.'
            : 'This is a staging installation: launches of the app are refused until an administrator of the platform allows them.'}
        </p>
        {scope.role === 'platform' && (
          <Button isBusy={action.isBusy} onPress={() => void change()}>
            {stagingAccess ? 'Refuse launches here' : 'Allow launches here'}
          </Button>
        )}
      </div>
    </Section>
  )
}
