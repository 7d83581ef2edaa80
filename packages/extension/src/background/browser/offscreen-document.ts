// The one offscreen document of the extension, which hosts the Worker apps: makes it, once, and sends it
// messages. It has chrome.runtime only, so the token and the launches travel to it by message.
import type { HostGrant } from '../../messages.ts'
import type { ToOffscreen } from '../../offscreen/offscreen-messages.ts'

let creating: Promise<void> | null = null

/** Two tabs may need it at the same time, and there may be only one. */
export function ensureOffscreen(): Promise<void> {
  creating ??= create().finally(() => {
    creating = null
  })
  return creating
}

async function create(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) return
  await chrome.offscreen.createDocument({
    url: 'offscreen.html',
    reasons: ['IFRAME_SCRIPTING'],
    justification: 'Background apps of the practice run in frames of this document.',
  })
}

/** A document that closes itself at this moment takes nothing more: the next one does. */
export async function hostOffscreen(grant: HostGrant): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await ensureOffscreen()
    const message = { to: 'offscreen', type: 'host', grant }
    const isTaken: unknown = await chrome.runtime.sendMessage(message).catch(() => false)
    if (isTaken === true) return
  }
}

export async function askOffscreen(message: Exclude<ToOffscreen, { type: 'host' }>): Promise<void> {
  if (!(await chrome.offscreen.hasDocument())) return
  // It may close itself meanwhile, with all that it could be asked for.
  await chrome.runtime.sendMessage({ to: 'offscreen', ...message }).catch(() => {})
}

/** The ids of the sessions that it hosts; none without a document. */
export async function listHosted(): Promise<readonly string[]> {
  if (!(await chrome.offscreen.hasDocument())) return []
  const answer: unknown = await chrome.runtime
    .sendMessage({ to: 'offscreen', type: 'list' })
    .catch(() => [])
  return Array.isArray(answer) ? answer.filter((id) => typeof id === 'string') : []
}
