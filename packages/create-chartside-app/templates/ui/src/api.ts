// The app's own API and its start page: what to change first. Every call stands on the app's own
// session; the practice is the account of the verified launch. Spec §2.5, §5.6.
import type { Sessions } from '@chartside/app-kit/server'
import type { Routes } from './app.ts'
import { appName, buildPage, escapeHtml, respondText } from './pages.ts'
import { requireIdentity } from './requests.ts'

/** What the page shows of who is there. */
export interface Me {
  readonly name: string
  readonly practice: string
  readonly ehrType: string
}

export function createApi(sessions: Pick<Sessions, 'authenticate'>): Routes {
  return {
    'GET /': async () => respondText(startPage(), 'html'),

    'GET /api/me': async (request) => {
      const { name, userId, account, ehrType } = await requireIdentity(sessions, request)
      const me: Me = { name: name ?? userId, practice: account.name, ehrType }
      return Response.json(me)
    },
  }
}

const startPage = (): string =>
  buildPage(`<body><main class="middle">
<h1>${escapeHtml(appName)}</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body>`)
