// What `npm start -- --extension` adds: the service admits the extension's origin, the collection names
// the charts of the sample EHR that have no host of their own, and a Chromium opens one of them with
// the extension, in a profile of its own.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  DEVELOPMENT_KEY,
  writeExtension,
} from '@chartside/extension/build'
import { findChromium } from '../../../scripts/chromium.ts'
import { publishContent } from './collection.ts'
import type { Places } from './places.ts'
import { ServiceApi } from './service-api.ts'

/** Before the service starts: it reads the origins of its hosts once. */
export function admitExtension(environment: NodeJS.ProcessEnv): void {
  const origin = `chrome-extension://${computeExtensionId(DEVELOPMENT_KEY)}`
  const others = environment.CHARTSIDE_HOST_ORIGINS
  environment.CHARTSIDE_HOST_ORIGINS = others ? `${others},${origin}` : origin
}

/** @returns a line that says what was opened, or how to open it by hand */
export async function openExtension(
  { service, ehr }: Places,
  dataDir: string,
  signal: AbortSignal,
): Promise<string> {
  const api = await ServiceApi.signIn(service.url)
  await publishContent(api, 'Charts without a host', (draft) => ({
    ...draft,
    ehrs: draft.ehrs.map((one) => ({ ...one, matches: [`${ehr.url}/${one.ehrType}/chart*`] })),
  }))
  const folder = join(dataDir, 'extension')
  const ehrHosts = [`http://${new URL(ehr.url).hostname}/*`]
  await writeExtension(
    await bundleExtension({ ...DEVELOPMENT, service: service.url, ehrHosts }),
    folder,
  )
  const chart = `${ehr.url}/meadow/chart`
  const byHand = `Load ${folder} as an unpacked extension, then open ${chart}`
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return `This machine has no display. ${byHand}`
  }
  const browser = spawn(
    await findChromium(),
    [
      `--user-data-dir=${join(dataDir, 'browser')}`,
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
      '--no-first-run',
      chart,
    ],
    { stdio: 'ignore' },
  )
  browser.on('error', () => {})
  signal.addEventListener('abort', () => browser.kill())
  return `Chromium opens ${chart} with the extension. If it does not: ${byHand}`
}
