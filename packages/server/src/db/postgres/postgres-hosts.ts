// Several hosts in one database URL, as libpq writes them, of which one takes writes: connects to
// them in order, stays with the one that does, and moves on when it fails or stops taking writes,
// so that nodes follow a promoted replica. Owns the choice of the host, never the pool's settings.
// PostgreSQL manual, "Connection URIs" and "Specifying Multiple Hosts".

import type pg from 'pg'
import { sql } from '../sql.ts'
import { runBatch } from './postgres-batch.ts'

export interface Hosts {
  /** A URL for each host, in the order of the list. */
  readonly urls: readonly string[]
  /** Whether only a server that takes writes will do. */
  readonly mustTakeWrites: boolean
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
  return { urls, mustTakeWrites: isList || wanted !== null }
}

/** Gives a connection of the pool, whose `connectionString` starts as the first of the URLs. */
export type Connect = () => Promise<pg.PoolClient>

/** `timeoutMs` bounds the question whether a server takes writes; each new connection asks once. */
export function followWrites(pool: pg.Pool, urls: readonly string[], timeoutMs: number): Connect {
  const taking = new WeakSet<pg.PoolClient>()
  let moves = 0

  /** Of all who found the same host wanting, one moves on. */
  function moveOn(movesBefore: number): void {
    if (moves !== movesBefore) return
    moves += 1
    pool.options.connectionString = urls[moves % urls.length]
  }

  async function connectOnce(): Promise<pg.PoolClient> {
    const before = moves
    const client = await pool.connect().catch((error: Error) => {
      if (!isWaitingTooLong(error)) moveOn(before)
      throw error
    })
    if (taking.has(client)) return client
    try {
      await askForWrites(client, timeoutMs)
    } catch (error) {
      moveOn(before)
      client.release(true)
      throw error
    }
    taking.add(client)
    return client
  }

  return async () => {
    for (let tries = 1; ; tries++) {
      const before = moves
      try {
        return await connectOnce()
      } catch (error) {
        // Every host gets its turn, and only a move makes another try sensible.
        if (tries === urls.length || moves === before) throw error
      }
    }
  }
}

/** The pool is full and nobody gave a connection back; that says nothing about the host. */
const isWaitingTooLong = ({ message }: Error) => message.startsWith('timeout exceeded')

const QUESTION = sql`SHOW transaction_read_only`

/** @throws Error when the server takes no writes, or cannot tell. */
async function askForWrites(client: pg.PoolClient, timeoutMs: number): Promise<void> {
  const [rows] = await runBatch(client, [QUESTION], timeoutMs)
  if (rows?.[0]?.transaction_read_only === 'off') return
  throw new Error('this PostgreSQL takes no writes: it is a replica or set to read only')
}
