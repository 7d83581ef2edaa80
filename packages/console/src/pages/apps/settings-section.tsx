// What the app's server is started with, as one `.env` block to copy, with the variables that the app kit and
// the templates read. It holds no secret: that is shown once, when it is made.
/** @jsxImportSource preact */
import { buildAppEnvironment, formatEnvironment } from '@chartside/protocol/app-environment'
import type { App } from '@chartside/protocol/payloads'
import { CodeBlock } from '@chartside/ui'
import { loadServiceFacts, type ServiceFacts } from '../../api/apps.ts'
import { BASE, ORIGIN } from '../../installation.ts'
import { useRecord } from '../../load/use-record.ts'
import { copyText } from '../../parts/copy-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page-head.tsx'

export function SettingsSection({ app }: { readonly app: App }) {
  const load = useRecord((signal) => loadServiceFacts({ signal }), 'service')
  return (
    <Section
      title="Settings for your server"
      about="The app kit and new apps read them from the environment or from .env. The secret is shown once, when it is made above: put it after CLIENT_SECRET= yourself."
    >
      <Loaded load={load} what="the settings">
        {(service) => <Block app={app} service={service} />}
      </Loaded>
    </Section>
  )
}

function Block({ app, service }: { readonly app: App; readonly service: ServiceFacts }) {
  const text = describeSettings(app, service)
  return (
    <>
      <CodeBlock title=".env" text={text} copy={copyText} copyLabel="Copy the settings" />
      {app.exchange === 'identity_provider' && (
        <p class="quiet">
          Your identity provider holds client ID and secret: enter both there. Your server needs
          them only when it runs the provider itself.
        </p>
      )}
      {service.hostOrigins.length === 0 && (
        <p class="quiet">
          FRAME_ANCESTORS is empty: this installation has no extension yet. Its operator sets
          CHARTSIDE_HOST_ORIGINS.
        </p>
      )}
    </>
  )
}

function describeSettings(app: App, { issuer, hostOrigins }: ServiceFacts): string {
  const baseUrl = ORIGIN + BASE
  const publicUrl = URL.parse(app.launchUrl ?? app.workerLaunchUrl ?? '')?.origin ?? ''
  const environment = buildAppEnvironment({
    ...{ clientId: app.clientId, clientSecret: '' },
    ...{ publicUrl, baseUrl, frameAncestors: hostOrigins },
    ...(app.idTokenSignedResponseAlg === 'RS256'
      ? {}
      : { idTokenSignedResponseAlg: app.idTokenSignedResponseAlg }),
  })
  return formatEnvironment(environment, [
    'Of the service, for a library that asks:',
    `issuer ${issuer}`,
    `SDK    ${baseUrl}/sdk/v1/sdk.js`,
  ])
}
