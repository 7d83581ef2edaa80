// The login script for the pages of oidc-provider in development: signs in, and gives consent. It
// knows the two forms and answers nothing else.
import type { LoginScript } from '../src/browser.ts'

const login: LoginScript = ({ html }) => {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? []
  const [, prompt] = /name="prompt" value="(login|consent)"/.exec(html) ?? []
  if (!action || !prompt) return undefined
  const credentials = prompt === 'login' ? { login: 'person', password: 'any' } : {}
  return { url: action.replaceAll('&amp;', '&'), form: { prompt, ...credentials } }
}

export default login
