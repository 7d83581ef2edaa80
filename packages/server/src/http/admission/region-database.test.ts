// The country database: the one that comes with the service, one that is replaced while it runs, and
// files that must not be believed.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { RegionDatabaseBad, regionDatabase } from './region-database.ts'

const PACKAGE = '@ip-location-db/geo-whois-asn-country-mmdb'
const bundled = fileURLToPath(import.meta.resolve(`${PACKAGE}/geo-whois-asn-country.mmdb`))
const ipv4Only = fileURLToPath(import.meta.resolve(`${PACKAGE}/geo-whois-asn-country-ipv4.mmdb`))

let directory: string
let bytes: Buffer
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'chartside-regions-'))
  bytes = readFileSync(bundled)
})
after(() => rmSync(directory, { recursive: true }))

/** The same database after all of one country has moved to another. */
function moved(from: string, to: string): Buffer {
  const copy = Buffer.from(bytes)
  // A string of two bytes begins with 0x42 in this format.
  const code = Buffer.from(`\x42${from}`)
  let at = copy.lastIndexOf(code)
  assert.ok(at > 0)
  // The records are the last part of the file; the tree before them is left alone.
  for (; at > copy.length - 8192; at = copy.lastIndexOf(code, at - 1)) copy.write(to, at + 1)
  return copy
}

let made = 0
/** Puts a file in place as an operator should, and gives it a time of its own. */
function put(file: string, content: Buffer | string): void {
  writeFileSync(`${file}.new`, content)
  made += 1
  utimesSync(`${file}.new`, made, made)
  renameSync(`${file}.new`, file)
}

function watched(file: string) {
  const lines: string[] = []
  const note = (_facts: object, message: string) => void lines.push(message)
  const log = { info: note, error: note } as never
  return { database: regionDatabase(file, log), lines }
}

test('finds the country of public IPv4 and IPv6 addresses only [T17]', async () => {
  const { database } = watched('')
  assert.equal(database.isLoaded(), false)
  await database.refresh()
  assert.equal(database.isLoaded(), true)
  const countries = { '8.8.8.8': 'US', '2001:4860:4860::8888': 'US', '193.0.6.139': 'NL' }
  for (const [address, country] of Object.entries({ ...countries, '2001:67c:2e8::1': 'NL' })) {
    for (const _again of [1, 2]) assert.equal(database.findCountry(address), country, address)
  }
  for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1', '0.0.0.0']) {
    assert.equal(database.findCountry(address), undefined, address)
  }
})

test('loads a new file without a restart, and drops the cached look-ups', async () => {
  const file = join(directory, 'replaced.mmdb')
  put(file, bytes)
  const { database, lines } = watched(file)
  await database.refresh()
  assert.equal(database.findCountry('8.8.8.8'), 'US')
  put(file, moved('US', 'CA'))
  assert.equal(database.findCountry('8.8.8.8'), 'US')
  await database.refresh()
  assert.equal(database.findCountry('8.8.8.8'), 'CA')
  await database.refresh()
  assert.equal(lines.length, 2, 'the same file is read once')
})

test('logs a broken new file once, and keeps the old one until a good one comes', async () => {
  const file = join(directory, 'broken.mmdb')
  put(file, bytes)
  const { database, lines } = watched(file)
  await database.refresh()
  const damaged = Buffer.from(bytes)
  damaged.fill(7, 7_000_000, 7_840_000)
  const broken: [string, Buffer | string][] = [
    ['cut off', bytes.subarray(0, 5_000_000)],
    ['empty', ''],
    ['another kind of file', '<html>Not found</html>'],
    ['IPv4 only', readFileSync(ipv4Only)],
    ['damaged in the middle', damaged],
    ['a piece missing', Buffer.concat([bytes.subarray(0, 7e6), bytes.subarray(7e6 + 600)])],
  ]
  for (const [what, content] of broken) {
    put(file, content)
    await database.refresh()
    await database.refresh()
    assert.equal(database.findCountry('8.8.8.8'), 'US', what)
    assert.match(lines.pop() ?? '', /cannot be used; the previous one stays/, what)
    assert.equal(lines.length, 1, what)
  }
  rmSync(file)
  await database.refresh()
  await database.refresh()
  assert.equal(database.findCountry('8.8.8.8'), 'US')
  assert.equal(lines.length, 2)
  put(file, moved('US', 'CA'))
  await database.refresh()
  assert.equal(database.findCountry('8.8.8.8'), 'CA')
})

test('without a usable file it names the file, the problem and the fix', async () => {
  const file = join(directory, 'missing.mmdb')
  const { database } = watched(file)
  await assert.rejects(database.refresh(), (error: Error) => {
    assert.ok(error instanceof RegionDatabaseBad)
    assert.ok(error.message.includes(file))
    assert.match(error.message, /CHARTSIDE_REGION_DATABASE/)
    return true
  })
  put(file, bytes)
  await database.refresh()
  assert.equal(database.findCountry('8.8.8.8'), 'US')
})
