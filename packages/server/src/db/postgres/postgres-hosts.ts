// Several hosts in one database URL, as in libpq, of which one accepts writes: connects to them in
// order, stays with the one that does, and moves to the next when it fails or stops accepting writes,
// so that nodes follow a promoted replica. Owns the choice of the host, not the pool's settings.
// PostgreSQL manual, "Connection URIs" and "Specifying Multiple Hosts".

import type pg from 'pg'
import { sql } from '../sql.ts'
import { runBatch } from './postgres-batch.ts'

export interface Hosts {
  /** A URL for each host, in the order of the list. */
  readonly urls: readonly string[]
  /** Whether the server must accept writes. */
  readonly mustAcceptWrites: boolean
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/** @throws TypeError when the URL is none of PostgreSQL, without repeating it (it holds a password). */
export function parseHosts(url: string): Hosts {
  const [, before = '', list = '', after = ''] = AUTHORITY.exec(url) ?? []
  const hosts = list.split(',')
  const urls = hosts.map((host) => before + host + after)
  const isList = urls.length > 1
  if (before === '' || !urls.every((one) => URL.canParse(one)) || (isList && hosts.includes(''))) {
    throw new TypeError(
      'the database URL must read postgres://user:password@host:port/database; several hosts are separated by commas',
    )
  }
  const wanted = new URL(urls[0] ?? '').searchParams.get('target_session_attrs')
  if (wanted !== null && wanted !== 'read-write') {
    throw new TypeError('target_session_attrs in the database URL must be read-write, or left out')
  }
  return { urls, mustAcceptWrites: isList || wanted !== null }
}

/** Returns a connection of the pool, whose `connectionString` starts as the first of the URLs. */
export type Connect = () => Promise<pg.PoolClient>

/** `timeoutMs` bounds the check whether a server accepts writes, once for each new connection. */
export function followWrites(pool: pg.Pool, urls: readonly string[], timeoutMs: number): Connect {
  const accepting = new WeakSet<pg.PoolClient>()
  let moves = 0

  /** Only one of the concurrent callers advances to the next host. */
  function moveOn(movesBefore: number): void {
    if (moves !== movesBefore) return
    moves += 1
    pool.options.connectionString = urls[moves % urls.length]
  }

  async function connectOnce(): Promise<pg.PoolClient> {
    const before = moves
    const client = await pool.connect().catch((error: Error) => {
      if (!isPoolTimeout(error)) moveOn(before)
      throw error
    })
    if (accepting.has(client)) return client
    try {
      await requireWrites(client, timeoutMs)
    } catch (error) {
      moveOn(before)
      client.release(true)
      throw error
    }
    accepting.add(client)
    return client
  }

  return async () => {
    for (let tries = 1; ; tries++) {
      const before = moves
      try {
        return await connectOnce()
      } catch (error) {
        // Tries every host once; another try makes sense only after a move.
        if (tries === urls.length || moves === before) throw error
      }
    }
  }
}

/** The pool was full until the timeout; that says nothing about the host. */
const isPoolTimeout = ({ message }: Error) => message.startsWith('timeout exceeded')

const IS_READ_ONLY = sql`SHOW transaction_read_only`

/** @throws Error when the server accepts no writes, or does not answer. */
async function requireWrites(client: pg.PoolClient, timeoutMs: number): Promise<void> {
  const [rows] = await runBatch(client, [IS_READ_ONLY], timeoutMs, true)
  if (rows?.[0]?.transaction_read_only === 'off') return
  throw new Error('this PostgreSQL accepts no writes: it is a replica or set to read only')
}
