// The name and version of this host, as each launch shows it. An offscreen document may lack the call of
// the manifest; the launch then shows the name alone.

export const hostVersion = (): string =>
  ['Extension', chrome.runtime.getManifest?.().version ?? ''].join(' ').trim()

/** The name and the major version of the browser, of which others tell nothing more; '' of an unknown one. */
export function browserVersion(userAgent = navigator.userAgent): string {
  const [, name, major] = /(Edg)\/(\d+)/.exec(userAgent) ?? /(Chrome)\/(\d+)/.exec(userAgent) ?? []
  return name === undefined ? '' : `${name === 'Edg' ? 'Edge' : name} ${major}`
}
