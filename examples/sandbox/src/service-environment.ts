// The environment of the sandbox's service: a development installation on loopback whose host page
// is the sample EHR. Pure but for the one variable that a developer may set. Contract §7
// (configuration).
import type { Administrator } from './administrator.ts'
import type { Places } from './places.ts'

export function buildServiceEnvironment(
  places: Places,
  dataDir: string,
  { email, password }: Administrator,
): Record<string, string> {
  return {
    CHARTSIDE_ENVIRONMENT: 'development',
    // No balancer is in front of it.
    CHARTSIDE_DRAIN_SECONDS: '0',
    CHARTSIDE_HOST: '127.0.0.1',
    CHARTSIDE_PORT: String(places.service.port),
    CHARTSIDE_BASE_URL: places.service.url,
    CHARTSIDE_DATA_DIR: dataDir,
    CHARTSIDE_ADMIN_EMAIL: email,
    CHARTSIDE_ADMIN_PASSWORD: password,
    CHARTSIDE_HOST_ORIGINS: listHostOrigins(places).join(','),
    // Debug lines name each launch when it is created; the sandbox follows it from then on.
    CHARTSIDE_LOG_LEVEL: 'debug',
  }
}

/** The sample EHR, and a browser extension under test. */
export function listHostOrigins({ ehr }: Places): string[] {
  const others = (process.env.CHARTSIDE_HOST_ORIGINS ?? '').split(',')
  return [ehr.url, ...others.map((origin) => origin.trim())].filter(Boolean)
}
