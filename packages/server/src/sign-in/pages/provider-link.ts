// Builds the links to identity providers. Links, not forms: browsers hold the policy for forms against every
// redirect that follows. Pure.
import type { Config } from '../../config/config.ts'
import { EMPTY_HTML, type Html, html } from '../../http/html/page.ts'
import type { SignInProvider } from '../../identity-providers/identity-provider-store.ts'

export const hasProvider = (config: Config): boolean => config.oidcIssuer !== ''

type Fields = Readonly<Record<string, string>>

const addressOf = (config: Config, path: string, fields: Fields): string =>
  `${config.baseUrl}${path}?${new URLSearchParams(fields).toString()}`

/** Builds the link to the provider of the installation, when there is one. */
export const providerLink = (config: Config, fields: Fields, verb: string): Html =>
  hasProvider(config)
    ? html`<a class="button second" id="provider" href="${addressOf(config, '/auth/sign-in/provider', fields)}">${verb} ${config.oidcName}</a>`
    : EMPTY_HTML

/** Builds the links to the providers of an account. */
export const accountProviderLinks = (
  config: Config,
  fields: Fields,
  verb: string,
  providers: readonly SignInProvider[],
): Html =>
  html`${providers.map(
    ({ id, name }) =>
      html`<a class="button second" id="${id}" href="${addressOf(config, '/auth/sign-in/provider', { ...fields, provider: id })}">${verb} ${name}</a>`,
  )}`

/** Builds the link to the page that asks for the short name of an account. */
export const practiceLink = (config: Config, fields: Fields): Html =>
  html`<a class="button second" id="practice" href="${addressOf(config, PRACTICE_PATH, fields)}">Sign in with your practice</a>`

export const PRACTICE_PATH = '/auth/sign-in/practice'
