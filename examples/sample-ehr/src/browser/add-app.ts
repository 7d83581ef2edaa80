// The dialog that brings an app of a developer by its Launch URL, without a restart: registers it at
// the sandbox, then shows what the app has to be started with. Owns the dialog only.
import { formatEnvironment } from '@chartside/protocol/app-environment'
import type { AddedApp } from '../sandbox-calls.ts'
import { button, el } from './elements.ts'

/** `onAdded` runs when the developer has read the credentials and closes the dialog. */
export function showAddApp(onAdded: (app: AddedApp) => void): void {
  const launchUrl = input('launchUrl', 'url', 'http://localhost:3000/launch')
  const name = input('name', 'text', 'My App')
  const redirectUri = input('redirectUri', 'url', 'http://localhost:3000/callback')
  const problem = el('p', { class: 'problem', role: 'alert' })
  const dialog = el('dialog', { 'aria-labelledby': 'add-app-title', class: 'add-app' })
  let added: AddedApp | null = null

  launchUrl.addEventListener('change', () => {
    const url = URL.parse(launchUrl.value)
    if (url && redirectUri.value === '') redirectUri.value = `${url.origin}/callback`
  })
  const form = el(
    'form',
    {},
    el('h2', { id: 'add-app-title' }, 'Add an app by its Launch URL'),
    el('p', {}, 'For an app that you start yourself, at any address of this machine.'),
    labelled('Launch URL', launchUrl),
    labelled('Name', name),
    labelled('Redirect URI', redirectUri),
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { type: 'submit', class: 'button primary' }, 'Add'),
      button('Cancel', () => dialog.close()),
    ),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(form))
    register(fields).then(
      (app) => {
        added = app
        dialog.replaceChildren(...drawCredentials(app, () => dialog.close()))
      },
      (error: unknown) => {
        problem.textContent = error instanceof Error ? error.message : 'The app was not added.'
      },
    )
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (added) onAdded(added)
  })
  dialog.append(form)
  document.body.append(dialog)
  dialog.showModal()
}

function drawCredentials(
  { name, wasRegistered, environment }: AddedApp,
  onClose: () => void,
): HTMLElement[] {
  const text = formatEnvironment(environment)
  const title = wasRegistered ? `Already registered as ${name}` : `${name} is registered`
  const secret = 'The secret is shown only here, and only now.'
  return [
    el('h2', { id: 'add-app-title' }, title),
    el(
      'p',
      {},
      wasRegistered
        ? `This Launch URL keeps its name and its client ID. ${secret} Earlier secrets work as well.`
        : `Start it with these settings. ${secret}`,
    ),
    el('pre', { tabindex: '0', 'aria-label': 'Settings' }, text),
    el(
      'div',
      { class: 'row' },
      button('Copy', () => void navigator.clipboard.writeText(text)),
      button('Show it in the panel', onClose),
    ),
  ]
}

async function register(fields: object): Promise<AddedApp> {
  const response = await fetch('/apps', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => null)
  if (!response) throw new Error('The sandbox does not answer. Check that it still runs.')
  const reply: unknown = await response.json()
  if (response.ok) return reply as AddedApp
  throw new Error((reply as { message?: string }).message ?? 'The app was not added.')
}

const input = (name: string, type: string, placeholder: string) =>
  el('input', { name, type, placeholder, required: '', autocomplete: 'off', class: 'input' })

const labelled = (text: string, field: HTMLElement) => el('label', {}, text, field)
