// The app's HTML: one page for launch and callback, and one for people who open the address
// themselves. Owns what the page's script is told, never a secret. Spec §5.5.
import { buildAppPage, buildStartPage } from '@chartside/example-app-shell/page'

export const TITLE = 'Care Gaps'
const style = '/care-gaps.css'

export interface PageSettings {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
}

export const buildPage = (settings: PageSettings): string =>
  buildAppPage({ title: TITLE, style, settings, scripts: [{ src: '/care-gaps.js' }] })

export const START_PAGE = buildStartPage({ title: TITLE, style })
