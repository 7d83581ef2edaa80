// The script of the passkey forms and its address, which changes with its text, so that browsers may
// cache it for ever. Read from disk at first use, not at start.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const PASSKEY_SCRIPT_PATH = '/auth/passkey.mjs'
let text: string | undefined

export function loadPasskeyScript(): string {
  text ??= readFileSync(new URL('./passkey-page.mjs', import.meta.url), 'utf8')
  return text
}

export const passkeyScriptUrl = (baseUrl: string): string =>
  `${baseUrl}${PASSKEY_SCRIPT_PATH}?v=${hash('sha256', loadPasskeyScript(), 'hex').slice(0, 12)}`
