// The steps of a launch as a person reads them, for every page that names one.
// Their order is that of the launch.
import type { LaunchSpan } from '@chartside/protocol/payloads'

export const SPAN_NAMES: Readonly<Record<LaunchSpan['span'], string>> = {
  open: 'Host opens the frame',
  load: 'Page loads, goes to authorize',
  authorize: 'Chartside issues the code',
  prepare: 'App prepares the exchange',
  exchange: 'Chartside exchanges the code',
  hello: 'SDK says hello',
  context: 'Token verified, context handed over',
}
