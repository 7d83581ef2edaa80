// The one offscreen document of the extension, which hosts the Worker apps: makes it, once, and sends it
// messages. It has chrome.runtime only, so the token and the launches travel to it by message.
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

export async function askOffscreen(message: ToOffscreen): Promise<void> {
  if (!(await chrome.offscreen.hasDocument())) return
  await chrome.runtime.sendMessage({ to: 'offscreen', ...message })
}

/** The ids of the sessions that it hosts; none without a document. */
export async function listHosted(): Promise<readonly string[]> {
  if (!(await chrome.offscreen.hasDocument())) return []
  const answer: unknown = await chrome.runtime
    .sendMessage({ to: 'offscreen', type: 'list' })
    .catch(() => [])
  return Array.isArray(answer) ? answer.filter((id) => typeof id === 'string') : []
}

export async function closeOffscreen(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) await chrome.offscreen.closeDocument()
}
