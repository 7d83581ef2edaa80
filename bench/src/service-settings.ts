// How the service under measurement is configured beyond its defaults: callers arrive through a trusted
// proxy, so that their addresses and the check of regions are part of what is measured.

/** `databaseUrl` is '' for the embedded database. */
export const serviceEnvironment = (databaseUrl = ''): Readonly<Record<string, string>> => ({
  CHARTSIDE_TRUSTED_PROXIES: 'loopback',
  CHARTSIDE_ALLOWED_REGIONS: 'US',
  ...(databaseUrl === '' ? {} : { CHARTSIDE_DATABASE_URL: databaseUrl }),
})
