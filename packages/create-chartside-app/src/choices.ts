// The choices for a new app: token option, framework and kind, with a label for each, and the rule
// for its name. Pure. Spec §5.1-§5.3; the slug is the sandbox's (examples/sandbox/src/manifest.ts).

/** The input is not possible; nothing was written. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The user cancelled; nothing was written. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export const OPTIONS = {
  1: { label: 'your server exchanges the code', hint: 'the tokens pass your server' },
  2: { label: 'a registered token endpoint', hint: 'the SDK fetches the tokens' },
  3: {
    label: 'an identity provider exchanges',
    hint: 'one to develop with is included',
  },
} as const

export const FRAMEWORKS = {
  express: { label: 'Express', hint: 'a server; its page is plain TypeScript' },
  fastify: { label: 'Fastify', hint: 'a server; its page is plain TypeScript' },
  hono: { label: 'Hono', hint: 'a server; its page is plain TypeScript' },
  'react-vite': { label: 'React with Vite', hint: 'a page in React, served by Hono' },
  next: { label: 'Next.js', hint: 'App Router: pages in React, route handlers' },
} as const

export const KINDS = {
  ui: { label: 'UI app', hint: 'a page in the panel' },
  worker: { label: 'Worker app', hint: 'no screen, starts at once' },
} as const

export type TokenOption = `${keyof typeof OPTIONS}`
export type Framework = keyof typeof FRAMEWORKS
export type Kind = keyof typeof KINDS

export interface Choices {
  /** The name as people read it: "Visit Notes". */
  readonly name: string
  readonly option: TokenOption
  readonly framework: Framework
  readonly kind: Kind
}

/** Its page is in React, so it makes UI apps only. */
export const isReact = (framework: Framework): boolean =>
  framework === 'react-vite' || framework === 'next'

/** @throws Refusal for a worker in React: it has no page */
export function requirePossible<Partly extends { framework?: Framework; kind?: Kind }>(
  choices: Partly,
): Partly {
  const { framework, kind } = choices
  if (!framework || !isReact(framework) || kind !== 'worker') return choices
  throw new Refusal(
    `A Worker app has no screen, so ${FRAMEWORKS[framework].label} has nothing to show: use --kind ui, or --framework express, fastify or hono.`,
  )
}

export const DEFAULTS = { option: '1', framework: 'express', kind: 'ui' } as const

const MAX_NAME_LENGTH = 60

/** @throws Refusal with the rule for a name */
export function parseName(text: string): string {
  const name = text.trim()
  if (name.length <= MAX_NAME_LENGTH && /[a-z0-9]/i.test(name) && !/[\p{C}{}]/u.test(name))
    return name
  throw new Refusal(
    `${JSON.stringify(name)} cannot be the name of an app: give up to ${MAX_NAME_LENGTH} characters, with a character from a to z or a digit among them, and no braces.`,
  )
}

/** The name in host names, cookies and package.json: `visit-notes`. */
export const buildSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Suggests `My App` for `my-app`. @throws Refusal when a directory's name cannot be an app's name */
export const suggestName = (directory: string): string =>
  parseName(
    directory.replace(/[-_.\s]+/g, ' ').replace(/\b[a-z]/g, (initial) => initial.toUpperCase()),
  )
