// The desk's HTML: one page for launch and callback, and one for people who open the address
// themselves. Owns what the page's script is told, never a secret. Spec §5.5.
import { buildAppPage, buildStartPage } from '@chartside/example-app-shell/page'

export const TITLE = 'Referral Desk'
const style = '/referral-desk.css'

export interface PageSettings {
  readonly baseUrl: string
  readonly providerUrl: string
}

export const buildPage = (settings: PageSettings): string =>
  buildAppPage({ title: TITLE, style, settings, scripts: [{ src: '/referral-desk.js' }] })

export const START_PAGE = buildStartPage({ title: TITLE, style })
