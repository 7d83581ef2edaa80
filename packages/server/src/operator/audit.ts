// What the command line uses of the audit trail: it reads, exports, archives and verifies events.
// A part of the contract with @chartside/operator (README.md); owns nothing itself.

export {
  type ChainHead,
  formatBegin,
  formatHead,
  formatLine,
} from '@chartside/protocol/audit-trail'
export { type AuditEvent, chainRoot, PLATFORM } from '../audit/audit.ts'
export { CHAIN, countUnchained, extendChains } from '../audit/audit-chain.ts'
export { type EntryKey, MAX_DELAY_MS, packEntry } from '../audit/audit-entry.ts'
export { findEvents, readEventsBetween } from '../audit/audit-entry-store.ts'
export { ExportCheck } from '../audit/audit-export.ts'
export { readExport } from '../audit/audit-export-file.ts'
export type { Link } from '../audit/audit-link.ts'
export {
  findArchivedEnd,
  listLinksAfter,
  NEWEST_SEQ,
  packTrail,
} from '../audit/audit-link-store.ts'
export { insertEventStatement } from '../audit/audit-store.ts'
export {
  countPending,
  listEvents,
  NEWEST,
  type PlacedEvent,
  readChained,
  scanEvents,
} from '../audit/audit-trail.ts'
export { partOf } from '../kernel/partitions.ts'
