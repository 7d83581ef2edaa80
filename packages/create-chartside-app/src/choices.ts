// What a new app can be: its token option, framework and kind, with the words for each, and the rule
// for its name. Pure. Spec §5.1-§5.3; the slug is the sandbox's (examples/sandbox/src/manifest.ts).

/** Somebody asked for what cannot be; nothing was written. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Somebody changed their mind; nothing was written. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export const OPTIONS = {
  1: { label: 'your server exchanges the code', hint: 'spec §5.1; the tokens pass your server' },
  2: { label: 'a registered token endpoint', hint: 'spec §5.2; the SDK fetches the tokens' },
  3: {
    label: 'an identity provider exchanges',
    hint: 'spec §5.3; one to develop with is included',
  },
} as const

export const FRAMEWORKS = { express: 'Express', fastify: 'Fastify', hono: 'Hono' } as const

export const KINDS = {
  ui: { label: 'UI app', hint: 'a page in the panel' },
  worker: { label: 'Worker app', hint: 'no screen, starts at once' },
} as const

export type TokenOption = `${keyof typeof OPTIONS}`
export type Framework = keyof typeof FRAMEWORKS
export type Kind = keyof typeof KINDS

export interface Choices {
  /** As people read it: "Visit Notes". */
  readonly name: string
  readonly option: TokenOption
  readonly framework: Framework
  readonly kind: Kind
}

export const DEFAULTS = { option: '1', framework: 'express', kind: 'ui' } as const

const MOST = 60

/** @throws Refusal that says what a name has to be */
export function parseName(text: string): string {
  const name = text.trim()
  if (name.length <= MOST && /[a-z0-9]/i.test(name) && !/[\p{C}{}]/u.test(name)) return name
  throw new Refusal(
    `${JSON.stringify(name)} cannot be the name of an app: give up to ${MOST} characters, with a letter from a to z or a digit among them, and no braces.`,
  )
}

/** The name as it stands in host names, cookies and package.json: `visit-notes`. */
export const buildSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** `my-app` → `My App`. @throws Refusal when a directory's name is no name for an app */
export const suggestName = (directory: string): string =>
  parseName(
    directory.replace(/[-_.\s]+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  )
