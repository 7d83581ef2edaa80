// All breaks by area, in the order in which a launch can meet them. The tables are in the files of
// their areas.
import { AUTHORIZE_BREAKS } from './authorize.ts'
import type { Break } from './break.ts'
import { CALLBACK_BREAKS } from './callback.ts'
import { EXCHANGE_BREAKS } from './exchange.ts'
import { ID_TOKEN_BREAKS } from './id-token.ts'
import { PAGE_BREAKS } from './page.ts'
import { SESSION_BREAKS } from './session.ts'

export const BREAKS: Readonly<Record<string, readonly Break[]>> = {
  'The authorize request': AUTHORIZE_BREAKS,
  'The callback': CALLBACK_BREAKS,
  'The exchange': EXCHANGE_BREAKS,
  'The ID token': ID_TOKEN_BREAKS,
  'The pages and the SDK': PAGE_BREAKS,
  'The service, the session and the end': SESSION_BREAKS,
}

export const ALL_BREAKS: readonly Break[] = Object.values(BREAKS).flat()
