// The script of the sign-in pages and its address, which changes with its text, so that browsers may
// cache it for ever. Read from disk at first use, not at start.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const PATH = '/auth/sign-in.mjs'
let text: string | undefined

export function loadPageScript(): string {
  text ??= readFileSync(new URL('./page-script.mjs', import.meta.url), 'utf8')
  return text
}

export const pageScriptUrl = (baseUrl: string): string =>
  `${baseUrl}${PATH}?v=${hash('sha256', loadPageScript(), 'hex').slice(0, 12)}`
