// The iframe of an app: the URLs it may load, and its sandbox, in which an app cannot navigate the
// host's own page. Security L06, V15.
import type { LaunchApp, OpenedLaunch } from '@chartside/protocol/launch'
import { findUrlProblem } from '@chartside/protocol/oauth'
import { HostError } from './errors.ts'

const SANDBOX = [
  'allow-scripts',
  'allow-same-origin',
  'allow-forms',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-modals',
  'allow-downloads',
].join(' ')

export function createFrameElement(document: Document, app: LaunchApp): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.setAttribute('sandbox', SANDBOX)
  element.setAttribute('referrerpolicy', 'no-referrer')
  // "Copy" in an app's own error page. A frame of another origin cannot write without it.
  element.setAttribute('allow', 'clipboard-write')
  element.title = app.name
  return element
}

/**
 * Replaces `old` by a copy that loads `url`. A new element has a window of its own, so the host
 * cannot mistake the document of the previous launch for this one. It adds no entry to the history:
 * "Back" leaves the host's page, not the open app.
 */
export function replaceFrameElement(old: HTMLIFrameElement, url: string): HTMLIFrameElement {
  const element = old.cloneNode(false) as HTMLIFrameElement
  element.src = url
  old.replaceWith(element)
  return element
}

/** The Launch URL, when a frame may load it: https or loopback, on an origin of the app. */
export function requireLaunchUrl({ launchUrl, app }: OpenedLaunch): string {
  const refuse = (why: string) =>
    new HostError('launch_url_refused', `${app.name} was not opened: ${why}.`)
  const problem = findUrlProblem(launchUrl)
  if (problem) throw refuse(`its Launch URL ${problem}`)
  const { origin } = new URL(launchUrl)
  if (!app.origins.includes(origin)) throw refuse(`${origin} is not an origin of the app`)
  return launchUrl
}
