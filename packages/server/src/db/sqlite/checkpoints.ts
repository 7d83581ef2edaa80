// Moves committed pages from the write-ahead log to the database file, in three steps, so that no commit waits for
// the whole file to reach the disk: SQLite's own checkpoint ends with that, for 10 to 20 ms, every few hundred
// launches. First a reader holds the newest snapshot. A checkpoint beside it is partial, and a partial one syncs
// nothing. Then the thread pool flushes the file. The last checkpoint finds little left to copy and to sync.
// Whatever fails between, SQLite's own order holds: the log is used anew only after a checkpoint that copied and
// synced everything (sqlite.org/wal.html, section 3.3). docs/inside/decisions/0048.
import { close, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { promisify } from 'node:util'

/** As many as SQLite's own checkpoint waits for. */
const LOG_PAGES = 1000
/** Where ours does not come to its end, SQLite's own does its work. */
export const OWN_CHECKPOINT_PAGES = 4 * LOG_PAGES
/** A look at the length of the log costs two microseconds. */
const COMMITS_BETWEEN_LOOKS = 16
/** Without a commit in this time there is none that the sync could delay. */
const QUIET_MS = 1000
/** Before this version a question for the length of the log is a checkpoint (sqlite.org/releaselog/3_51_0.html). */
const NEEDED_VERSION = 3.51

const LOG_LENGTH = 'PRAGMA wal_checkpoint(NOOP)'
const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)'

export const canDivideCheckpoints =
  Number.parseFloat(process.versions.sqlite ?? '0') >= NEEDED_VERSION

export interface CheckpointFile {
  /** Commits all writes, with synchronous = FULL. */
  readonly writer: DatabaseSync
  /** A second connection to the same file. */
  openReader(): DatabaseSync
  readonly path: string
  /** Sends the pages of the file to the disk, outside this thread. */
  readonly flush?: (file: number) => Promise<void>
}

export class Checkpoints {
  readonly #file: CheckpointFile
  readonly #flush: (file: number) => Promise<void>
  readonly #logLength: StatementSync
  #commits = 0
  #state: 'waiting' | 'holding' | 'flushing' = 'waiting'
  #reader: DatabaseSync | undefined
  #quiet: NodeJS.Timeout | undefined
  /** Open as long as the connections: to close it would end the locks of this process on the file. */
  #descriptor: number | undefined
  #flushing: Promise<void> | undefined

  constructor(file: CheckpointFile) {
    this.#file = file
    this.#flush = file.flush ?? promisify(fdatasync)
    this.#logLength = file.writer.prepare(LOG_LENGTH)
    file.writer.exec(`PRAGMA wal_autocheckpoint = ${OWN_CHECKPOINT_PAGES}`)
  }

  /** After each commit of the writer. Throws nothing: a disk that is full fails the next commit. */
  afterCommit(): void {
    if (this.#state === 'holding') {
      this.#begin()
      return
    }
    this.#commits += 1
    if (this.#state === 'flushing' || this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return
    try {
      if (Number(this.#logLength.get()?.log) >= LOG_PAGES) this.#hold()
    } catch {
      this.#release()
    }
  }

  /** Before the writer is closed, which makes the last checkpoint. */
  async close(): Promise<void> {
    clearTimeout(this.#quiet)
    await this.#flushing
    this.#reader?.close()
    this.#reader = undefined
  }

  /** After the writer is closed. */
  async closeFile(): Promise<void> {
    if (this.#descriptor !== undefined) await promisify(close)(this.#descriptor)
    this.#descriptor = undefined
  }

  /** What is committed from now on stays in the log. */
  #hold(): void {
    this.#reader ??= this.#file.openReader()
    this.#descriptor ??= openSync(this.#file.path, 'r')
    this.#reader.exec('BEGIN; SELECT 1 FROM sqlite_schema')
    this.#state = 'holding'
    this.#quiet = setTimeout(() => this.#begin(), QUIET_MS).unref()
  }

  #begin(): void {
    clearTimeout(this.#quiet)
    this.#state = 'flushing'
    this.#flushing = this.#finish().catch(() => this.#release())
  }

  async #finish(): Promise<void> {
    // The answers to this commit leave first: to copy a thousand pages takes milliseconds.
    await nextIteration()
    this.#file.writer.exec(CHECKPOINT)
    if (this.#descriptor !== undefined) await this.#flush(this.#descriptor)
    this.#release()
    this.#file.writer.exec(CHECKPOINT)
  }

  #release(): void {
    if (this.#reader?.isTransaction) this.#reader.exec('COMMIT')
    this.#state = 'waiting'
  }
}
