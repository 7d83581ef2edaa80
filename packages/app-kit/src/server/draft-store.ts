// Where drafts are kept: one in memory; an app with several processes brings one with the same two
// verbs. A key names a person, a practice and a field. Knows nothing of requests.

export interface StoredDraft {
  readonly key: string
  /** The text; empty when the person has deleted it. */
  readonly text: string
  /** The time at which it was typed, by the page's clock, in milliseconds since 1970. */
  readonly writtenAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface DraftStore {
  find(key: string): Promise<StoredDraft | undefined>
  /**
   * Writes `draft` unless the stored one was typed later, in one statement: `INSERT … ON CONFLICT (key) DO UPDATE …
   * WHERE excluded.written_at >= written_at`. Requests of a page that closes may arrive in any order.
   */
  replace(draft: StoredDraft): Promise<void>
}

const MAX_DRAFTS = 10_000

/**
 * Creates a draft store for one process. Drafts end with it, and the oldest ones when there are more than
 * 10,000. `now` gives milliseconds since 1970. Never throws.
 * @example const drafts = createDrafts({ sessions, store: createMemoryDraftStore() })
 */
export function createMemoryDraftStore(now: () => number = () => Date.now()): DraftStore {
  /** The least recently written first. */
  const drafts = new Map<string, StoredDraft>()
  return {
    find: async (key) => drafts.get(key),
    async replace(draft) {
      const stored = drafts.get(draft.key)
      if (stored && stored.expiresAt > now() && stored.writtenAt > draft.writtenAt) return
      drafts.delete(draft.key)
      drafts.set(draft.key, draft)
      for (const [key, { expiresAt }] of drafts) {
        if (expiresAt > now() && drafts.size <= MAX_DRAFTS) return
        drafts.delete(key)
      }
    },
  }
}
