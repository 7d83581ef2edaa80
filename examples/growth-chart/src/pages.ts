// The app's two pages: where the code arrives, and one for people who open the address themselves.
// Owns the order of the scripts. Spec §5.5; security H02.
import { buildAppPage, buildStartPage } from '@chartside/example-app-shell/page'
import type { SdkScript } from './oauth.ts'

export const TITLE = 'Growth Chart'
const style = '/growth-chart.css'

/** take-query.js comes first: the code has left the address before anything else is fetched. */
export function buildCallbackPage({ url, integrity }: SdkScript): string {
  const scripts = [{ src: '/take-query.js' }, { src: url, integrity }, { src: '/growth-chart.js' }]
  return buildAppPage({ title: TITLE, style, scripts })
}

export const START_PAGE = buildStartPage({ title: TITLE, style })
