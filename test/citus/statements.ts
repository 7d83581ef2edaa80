// Every statement that the stories sent, executed on a Citus with divided tables and rolled back: an engine may plan a
// statement and fail when it runs. The stories write the file. Changes no row.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { type CitusCluster, divideTables } from './cluster.ts'

type Value = string | number | null | { readonly hex: string }

const say = (text: string) => process.stdout.write(`${text}\n`)

function literalOf(value: Value | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'object') return `'\\x${value.hex}'`
  return typeof value === 'string' ? pg.escapeLiteral(value) : String(value)
}

/** With the values in the text: the partition of a parameter is known only when it runs. */
function readStatements(file: string): string[] {
  const seen = new Map<string, readonly Value[]>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { sql, args } = JSON.parse(line)
    if (!seen.has(sql)) seen.set(sql, args)
  }
  return [...seen].map(([sql, args]) => {
    let at = 0
    return sql.replace(/\?/g, () => literalOf(args[at++]))
  })
}

/** The table is empty, so a statement that names rows finds none; its plan is the same. */
export async function runStatements({ url }: Pick<CitusCluster, 'url'>, file: string) {
  await divideTables(url)
  const statements = readStatements(file)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const failed: string[] = []
  for (const statement of statements) {
    await client.query('BEGIN')
    await client.query(statement).catch(({ message }: Error) => {
      failed.push(`${message}: ${statement.replace(/\s+/g, ' ')}`)
    })
    await client.query('ROLLBACK')
  }
  await client.end()
  say(`${statements.length} statements of the stories executed, ${failed.length} failed.`)
  assert.deepEqual(failed, [])
}
