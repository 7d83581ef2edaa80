// A user agent as a person reads it: the browser with its major version, and the system. Pure; what is
// not known is shown as it was sent, since a program names itself.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Macintosh/, 'macOS'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const MAX_SHOWN = 60

export function describeClient(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown program'
  const browser = BROWSERS.flatMap(([pattern, name]) => {
    const [, version] = pattern.exec(userAgent) ?? []
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser) return system ? `${browser} on ${system}` : browser
  return userAgent.length > MAX_SHOWN ? `${userAgent.slice(0, MAX_SHOWN)}…` : userAgent
}
