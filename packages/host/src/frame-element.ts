// The iframe of an app: which URL it may be sent to, and how little it may do. Security L06;
// design: the sandbox keeps an app from navigating the host's own page away.
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
  element.title = app.name
  return element
}

/**
 * The same iframe anew, on its way to `url`, in the place of `old`. A new element has a window of
 * its own, so that the document of the launch before can never be taken for that of this one, and
 * it adds no entry to the history: "Back" leaves the host's page, not the open app.
 */
export function replaceFrameElement(old: HTMLIFrameElement, url: string): HTMLIFrameElement {
  const fresh = old.cloneNode(false) as HTMLIFrameElement
  fresh.src = url
  old.replaceWith(fresh)
  return fresh
}

/** The Launch URL, if a frame may be sent there: https or loopback, on an origin of the app. */
export function requireLaunchUrl({ launchUrl, app }: OpenedLaunch): string {
  const refuse = (why: string) =>
    new HostError('launch_url_refused', `${app.name} was not opened: ${why}.`)
  const fault = findUrlProblem(launchUrl)
  if (fault) throw refuse(`its Launch URL ${fault}`)
  const { origin } = new URL(launchUrl)
  if (!app.origins.includes(origin)) throw refuse(`${origin} is not an origin of the app`)
  return launchUrl
}
