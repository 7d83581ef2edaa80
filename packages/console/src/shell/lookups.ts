// What a person may paste into the palette, recognised by its shape: a trace id, a launch_id, a client
// id, an e-mail address, or the id of a record. Pure; where it leads is find-record.ts.

export type LookupKind = 'trace' | 'launchId' | 'client' | 'email' | 'launch' | 'app' | 'account'

export interface Lookup {
  readonly kind: LookupKind
  readonly value: string
  /** The words with which the palette offers it. */
  readonly label: string
}

const SHAPES: readonly (readonly [LookupKind, RegExp, string])[] = [
  ['trace', /^[0-9a-f]{32}$/i, 'Launch with trace'],
  ['launchId', /^lnch_[0-9a-z]{22}[\w-]{43}$/, 'Launch with this launch_id'],
  ['client', /^cli_[0-9a-f]{32}$/i, 'App with client_id'],
  ['email', /^[^\s@]+@[^\s@]+$/, 'Person'],
  ['launch', /^lau_[0-9a-z]{22}$/, 'Launch'],
  ['app', /^app_[0-9a-z]{22}$/, 'App'],
  ['account', /^acc_[0-9a-z]{22}$/, 'Account'],
]

export function recognize(text: string): Lookup | undefined {
  const value = text.trim()
  for (const [kind, shape, label] of SHAPES) {
    if (!shape.test(value)) continue
    // A launch_id opens a launch for its holder: it is not shown in full.
    const shown = kind === 'launchId' ? '' : ` ${value}`
    return { kind, value, label: label + shown }
  }
  return undefined
}

const LAUNCH_KINDS: readonly LookupKind[] = ['trace', 'launchId', 'launch']

/** The first launch that a pasted line names: a report, a log line or a traceparent has words around the id. */
export function recognizeLaunch(text: string): Lookup | undefined {
  for (const part of [...text.split(/[^\w-]+/), ...text.split(/\W+/)]) {
    const found = recognize(part)
    if (found && LAUNCH_KINDS.includes(found.kind)) return found
  }
  return undefined
}
