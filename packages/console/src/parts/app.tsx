// An app as several pages name it: its initials with its name, where it opens, and whether it is on. Icons
// of vendors are not loaded: the policy of the console admits no foreign address.
/** @jsxImportSource preact */
import type { App } from '@chartside/protocol/payloads'
import { AppIcon, Pill } from '@chartside/ui'

export function AppName({ app }: { readonly app: { readonly id: string; readonly name: string } }) {
  return (
    <span class="app-name">
      <AppIcon id={app.id} name={app.name} />
      <span>{app.name}</span>
    </span>
  )
}

export function describeOpening({ launchUrl, workerLaunchUrl }: App): string {
  if (launchUrl === undefined) return 'in the background'
  return workerLaunchUrl === undefined ? 'in the panel' : 'in the panel and the background'
}

export function AppState({ app }: { readonly app: App }) {
  return app.enabled ? (
    <Pill tone="good" icon="check">
      On
    </Pill>
  ) : (
    <Pill tone="bad" icon="power">
      {app.disabledBy === 'platform' ? 'Switched off by the platform' : 'Switched off'}
    </Pill>
  )
}
