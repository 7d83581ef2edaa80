// Referral Desk on Hono. Option 3: the identity provider exchanges the code; this server takes its ticket and
// reads the platform token there. The user is that of the verified launch. Spec §2.5, §5.3, §5.6.
import { createServer, type Server } from 'node:http'
import {
  type ChartsideEnv,
  chartside,
  explainErrors,
  requireIdentity,
} from '@chartside/app-kit/hono'
import { createAssets, listen } from '@chartside/app-kit/node'
import { type Log, type ProviderAppSettings, routeProvider } from '@chartside/app-kit/server'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import manifest from '../chartside.app.json' with { type: 'json' }
import { redeemTicket } from './provider/redeem-ticket.ts'
import { REFERRALS } from './referrals.ts'

const assets = createAssets(import.meta.url)

/** Starts the app. Port 0 stands for any free port. */
export function startApp(settings: ProviderAppSettings, log: Log): Promise<Server> {
  const app = new Hono<ChartsideEnv>()
  app.use(
    chartside({
      ...{ name: manifest.name, slug: 'referral-desk', settings, assets, log },
      launch: (parts) => routeProvider(parts, redeemTicket),
    }),
  )
  explainErrors(app)

  app.get('/api/referrals', requireIdentity, (context) => {
    const { name, userId, account } = context.get('identity')
    const user = { name: name ?? userId, practice: account.name }
    return context.json({ user, referrals: REFERRALS })
  })

  return listen(createServer(getRequestListener(app.fetch)), settings)
}
