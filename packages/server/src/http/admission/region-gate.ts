// Guards the addresses that the route table marks: admits callers in an allowed region and refuses all
// others. Uses the country database, which it loads at the first look-up; while it cannot be loaded
// no public caller is in a region.
import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from './client-address.ts'
import { decideRegion, EVERYWHERE, type RegionRule } from './region.ts'
import { type RegionDatabase, RegionDatabaseBad } from './region-database.ts'
import { RequestRefused } from './request-refused.ts'

export interface RegionGate {
  /** A promise only while the countries are being loaded. @throws RequestRefused */
  admit(caller: Caller): Promise<void> | undefined
  /** The region of an admitted address, as evidence; undefined for an internal one and with every region allowed. */
  findCountry(address: string): string | undefined
  /** Loads a new country file; runs at the start and as a job. @throws RegionDatabaseBad */
  refresh(): Promise<void>
}

export interface HasRegionGate {
  readonly regions: RegionGate
}

/** The gate for the directories of accounts, which call from clouds of many countries. */
export interface HasDirectoryGate {
  readonly directoryRegions: RegionGate
}

export function regionGate(
  rule: RegionRule,
  database: RegionDatabase,
  log: Pick<FastifyBaseLogger, 'error'>,
): RegionGate {
  if (rule.allowed.includes(EVERYWHERE)) {
    return { admit: () => undefined, findCountry: () => undefined, refresh: async () => {} }
  }

  const decide = (caller: Caller, country: string | undefined): undefined => {
    const refusal = decideRegion(caller, country, rule)
    if (refusal !== undefined) throw RequestRefused.forRegion(refusal, country)
  }

  async function admitAfterLoading(caller: Caller): Promise<void> {
    await database.refresh().catch((error: unknown) => {
      if (!(error instanceof RegionDatabaseBad)) throw error
      log.error({ err: error }, 'the region of no public caller can be found')
    })
    decide(caller, database.isLoaded() ? database.findCountry(caller.address) : undefined)
  }

  return {
    admit(caller) {
      if (caller.kind !== 'public') return decide(caller, undefined)
      if (!database.isLoaded()) return admitAfterLoading(caller)
      return decide(caller, database.findCountry(caller.address))
    },
    findCountry: (address) => (database.isLoaded() ? database.findCountry(address) : undefined),
    async refresh() {
      // Outside production most servers see internal callers only and never need the file.
      if (rule.isProduction || database.isLoaded()) await database.refresh()
    },
  }
}
