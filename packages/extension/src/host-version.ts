// The name and version of this host, as each launch shows it. An offscreen document may lack the call of
// the manifest; the launch then shows the name alone.

export const hostVersion = (): string =>
  ['Extension', chrome.runtime.getManifest?.().version ?? ''].join(' ').trim()
