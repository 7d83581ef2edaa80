// Which addresses the sample apps have on the ports of this run, and what each needs to know to
// start. Brings their registration in line and renews their secrets. Spec §2.1, §4.3.
import { SAMPLE_UI_APP, SAMPLE_VENDOR, SAMPLE_WORKER_APP } from '@chartside/server/sample-data'
import type { Ports } from './ports.ts'
import type { AppRecord, AppUrls, ServiceApi } from './service-api.ts'

export interface SandboxUrls {
  readonly service: string
  readonly ehr: string
  readonly visitNotes: string
  readonly codingWatch: string
}

/** One host name each: ports alone do not keep cookies apart. */
export function buildUrls(ports: Ports): SandboxUrls {
  return {
    service: `http://localhost:${ports.service}`,
    ehr: `http://ehr.chartside.localhost:${ports.ehr}`,
    visitNotes: `http://visit-notes.chartside.localhost:${ports.visitNotes}`,
    codingWatch: `http://coding-watch.chartside.localhost:${ports.codingWatch}`,
  }
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export interface SampleApps {
  readonly visitNotes: Credentials
  readonly codingWatch: Credentials
}

export async function prepareSampleApps(api: ServiceApi, urls: SandboxUrls): Promise<SampleApps> {
  return {
    visitNotes: await prepare(api, SAMPLE_UI_APP.name, {
      launchUrl: `${urls.visitNotes}/launch`,
      redirectUris: [`${urls.visitNotes}/callback`],
    }),
    codingWatch: await prepare(api, SAMPLE_WORKER_APP.name, {
      workerLaunchUrl: `${urls.codingWatch}/launch`,
      redirectUris: [`${urls.codingWatch}/callback`],
      tokenEndpoint: `${urls.codingWatch}/token`,
    }),
  }
}

async function prepare(api: ServiceApi, name: string, urls: AppUrls): Promise<Credentials> {
  const app = await api.findApp(SAMPLE_VENDOR.name, name)
  if (!hasUrls(app, urls)) await api.changeApp(app.id, urls)
  return { clientId: app.clientId, clientSecret: await api.renewSecret(app.id, 'sandbox') }
}

function hasUrls(app: AppRecord, urls: AppUrls): boolean {
  return Object.entries(urls).every(
    ([field, value]) => JSON.stringify(app[field as keyof AppRecord]) === JSON.stringify(value),
  )
}
