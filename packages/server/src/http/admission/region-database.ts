// Owns the country database: a file in the MMDB format, of the package or of the operator, loaded into
// memory at first use. A new file replaces the old one while the service runs; a broken one does not.
// No look-up leaves the machine.
// Contract §8, docs/operate/callers.md.
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Reader } from 'mmdb-lib'

export interface RegionDatabase {
  /** Whether a file is loaded. */
  isLoaded(): boolean
  /** The ISO 3166 code, or undefined when the database does not know the address. */
  findCountry(address: string): string | undefined
  /**
   * Loads the file if it has changed. An unusable file is logged once and changes nothing.
   * @throws RegionDatabaseBad when no earlier file is loaded.
   */
  refresh(): Promise<void>
}

export class RegionDatabaseBad extends Error {
  constructor(file: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(
      `The country database ${file} cannot be used: ${why}. Put a whole MMDB file of countries there ` +
        '(docs/operate/callers.md), or unset CHARTSIDE_REGION_DATABASE for the one that comes with the service.',
      { cause },
    )
    this.name = 'RegionDatabaseBad'
  }
}

const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
/** Every country database knows some of these. */
const WELL_KNOWN = ['8.8.8.8', '1.1.1.1', '9.9.9.9', '193.0.6.139', '2001:4860:4860::8888']
/** The cache of look-ups is cleared beyond this many addresses. */
const MAX_REMEMBERED = 10_000

export function regionDatabase(
  configured: string,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): RegionDatabase {
  const file = configured || fileURLToPath(import.meta.resolve(BUNDLED))
  const remembered = new Map<string, string | undefined>()
  let reader: Reader<object> | undefined
  let seen = ''
  let refreshing: Promise<void> | undefined

  async function readIfNew(): Promise<void> {
    const state = await stat(file).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      (error: unknown) => String(error),
    )
    // Each state of the file is tried, and logged, once.
    if (state === seen) return
    seen = state
    try {
      reader = await openReader(file)
      remembered.clear()
      log.info({ file, built: reader.metadata.buildEpoch }, 'country database read')
    } catch (error) {
      const bad = new RegionDatabaseBad(file, error)
      if (!reader) {
        seen = ''
        throw bad
      }
      log.error({ err: bad }, 'the new country database cannot be used; the previous one stays')
    }
  }

  return {
    isLoaded: () => reader !== undefined,
    findCountry(address) {
      if (remembered.has(address)) return remembered.get(address)
      const country = reader && countryIn(reader, address)
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(address, country)
      return country
    },
    refresh() {
      refreshing ??= readIfNew().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }
}

/** @throws Error when the file is no database, incomplete, or not one of countries. */
async function openReader(file: string): Promise<Reader<object>> {
  const bytes = await readFile(file)
  // Loads the reader only where regions are checked.
  const { Reader } = await import('mmdb-lib')
  const reader = new Reader<object>(bytes)
  // For an IPv6 address such a tree answers with the country of some IPv4 address.
  if (reader.metadata.ipVersion !== 6) throw new Error('it knows IPv4 addresses only')
  // An incomplete file leads to positions between its records.
  if (!WELL_KNOWN.some((address) => countryIn(reader, address))) {
    throw new Error('it knows no country of any well-known address')
  }
  return reader
}

/** The providers of such databases differ in where they put the code. */
interface CountryRecord {
  readonly country_code?: unknown
  readonly country?: { readonly iso_code?: unknown } | string
}

function countryIn(reader: Reader<object>, address: string): string | undefined {
  const { country_code, country } = (reader.get(address) ?? {}) as CountryRecord
  const code = country_code ?? (typeof country === 'object' ? country.iso_code : country)
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : undefined
}
