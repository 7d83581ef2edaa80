// The registered token endpoint, to which the SDK posts the code. It is passed on with the secret of the
// app, which never leaves this server.
import { chartside } from '../../src/chartside.ts'

export const { POST } = chartside.handlers
