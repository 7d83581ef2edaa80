// The app's HTML: one page for launch and callback, which React fills, and one for people who open the
// address themselves. Owns what the page's script is told, never a secret. Spec §5.5.
import { buildPage, buildStartPage } from '@chartside/example-app-shell/page'

export const TITLE = 'Visit Notes'
const style = '/visit-notes.css'

export interface PageSettings {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
}

export const buildVisitPage = (settings: PageSettings): string =>
  buildPage({
    title: TITLE,
    style,
    settings,
    main: '<main id="app"></main>',
    scripts: [{ src: '/visit-notes.js' }],
  })

export const START_PAGE = buildStartPage({ title: TITLE, style })
