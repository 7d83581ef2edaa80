// The version of the extension, as each launch shows it. An offscreen document may lack the call.

export const hostVersion = (): string =>
  ['Extension', chrome.runtime.getManifest?.().version ?? ''].join(' ').trim()
