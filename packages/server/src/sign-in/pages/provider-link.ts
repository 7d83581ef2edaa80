// Builds the link to the identity provider. A link, not a form: browsers hold the policy for forms
// against every redirect that follows. Pure.
import type { Config } from '../../config/config.ts'
import { EMPTY_HTML, type Html, html } from '../../http/html/page.ts'

export const hasProvider = (config: Config): boolean => config.oidcIssuer !== ''

export const providerLink = (
  config: Config,
  fields: Readonly<Record<string, string>>,
  verb: string,
): Html =>
  hasProvider(config)
    ? html`<a class="button second" id="provider" href="${config.baseUrl}/auth/sign-in/provider?${new URLSearchParams(fields).toString()}">${verb} ${config.oidcName}</a>`
    : EMPTY_HTML
