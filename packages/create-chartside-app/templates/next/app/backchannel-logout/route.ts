// The service says here that an EHR session has ended: its sessions end too. Register this address as
// backchannelLogoutUri.
import { chartside } from '../../src/chartside.ts'

export const { POST } = chartside.handlers
