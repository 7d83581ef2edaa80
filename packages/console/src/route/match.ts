// Finds the page of a path. Pure: the first entry whose segments are those of the path, a segment that
// begins with a colon being any one.

export interface Matched<Entry> {
  readonly entry: Entry
  readonly params: Readonly<Record<string, string>>
}

export function matchPath<Entry extends { readonly path: string }>(
  entries: readonly Entry[],
  path: string,
): Matched<Entry> | undefined {
  const given = path === '' ? [] : path.split('/')
  for (const entry of entries) {
    const wanted = entry.path === '' ? [] : entry.path.split('/')
    const isSame =
      wanted.length === given.length &&
      wanted.every((segment, at) => segment.startsWith(':') || segment === given[at])
    if (!isSame) continue
    const params = wanted.flatMap((segment, at) =>
      segment.startsWith(':') ? [[segment.slice(1), given[at] ?? '']] : [],
    )
    return { entry, params: Object.fromEntries(params) }
  }
  return undefined
}

/** The scope of a path, and what follows it: `acc_…` and `platform` are scopes. */
export function splitScope(path: string): {
  readonly scope: string | undefined
  readonly rest: string
} {
  const [first = '', ...others] = path.split('/')
  return first === 'platform' || first.startsWith('acc_')
    ? { scope: first, rest: others.join('/') }
    : { scope: undefined, rest: path }
}
