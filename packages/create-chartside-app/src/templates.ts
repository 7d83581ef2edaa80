// The templates of a new app: folders laid over each other, a later one replaces files of an
// earlier one. Reads them and fills their {{placeholders}}; writes nothing.
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Choices, isReact } from './choices.ts'

/** The folder stands beside src in a checkout, beside dist when it is installed. */
const ROOT = ['../templates', '../../templates']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path)) as string

/** The version of this package, and of the packages that are released with it. */
export const version: string = JSON.parse(
  readFileSync(join(ROOT, '../package.json'), 'utf8'),
).version

const listOverlays = ({ option, kind, framework }: Choices): string[] => [
  'base',
  kind,
  ...(kind === 'ui' ? [isReact(framework) ? 'ui-react' : 'ui-dom'] : []),
  ...(option === '3' ? ['option-3', `option-3-${kind}`] : []),
  ...(isReact(framework) ? [framework] : [`${framework}-${kind}`]),
  ...(framework === 'next' ? [`next-option-${option}`] : []),
]

/** The templates are of option 1. What the other options say in place of it, in this order. */
export const OTHER_OPTIONS: Readonly<Record<'2' | '3', readonly (readonly [string, string])[]>> = {
  2: [
    ['routeExchange', 'routeTokenEndpoint'],
    ['beginForExchange', 'beginForTokenEndpoint'],
    ['openByExchange', 'openByTokenEndpoint'],
    ['testExchangeApp', 'testTokenEndpointApp'],
  ],
  3: [
    ['launch: routeExchange', 'launch: (parts) => routeProvider(parts, redeemTicket)'],
    ['routeExchange', 'routeProvider'],
    ['type AppSettings', 'type ProviderAppSettings'],
    ['settings: AppSettings', 'settings: ProviderAppSettings'],
    ['ChartsideOptions<AppSettings>', 'ChartsideOptions<ProviderAppSettings>'],
    [
      "from '@chartside/app-kit/sqlite'",
      "from '@chartside/app-kit/sqlite'\nimport { redeemTicket } from './provider/redeem-ticket.ts'",
    ],
    ['beginForExchange', 'beginAtProvider'],
    ['openByExchange', 'openByProvider'],
  ],
}

/** Next.js bundles and renders the page itself. */
const NOT_IN_NEXT: readonly string[] = ['src/browser/launch-page.ts']

/**
 * The identity provider of development exists once, in a sample app. In a package it is among the
 * templates, where the pack script copies it.
 */
const PROVIDER = join(ROOT, '../../../examples/referral-desk/src/provider')
const PROVIDER_PLACE = 'src/provider'

/** Texts by path, as they are stored. */
export async function loadTemplates(choices: Choices): Promise<Map<string, string>> {
  const overlays = await Promise.all(listOverlays(choices).map(loadOverlay))
  const files = new Map(overlays.flat())
  if (choices.framework === 'next') for (const path of NOT_IN_NEXT) files.delete(path)
  const { option } = choices
  if (option !== '1') for (const [path, text] of files) files.set(path, rewrite(text, option))
  return files
}

const rewrite = (text: string, option: '2' | '3'): string =>
  OTHER_OPTIONS[option].reduce((all, [from, to]) => all.replaceAll(from, to), text)

type Texts = [path: string, text: string][]

async function loadOverlay(name: string): Promise<Texts> {
  const texts = await loadFolder(join(ROOT, name))
  if (name !== 'option-3' || !existsSync(PROVIDER)) return texts
  const provider = await loadFolder(PROVIDER)
  return [
    ...texts,
    ...provider.map(([path, text]) => [`${PROVIDER_PLACE}/${path}`, text] as Texts[0]),
  ]
}

async function loadFolder(root: string): Promise<Texts> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.map(async (path): Promise<Texts[0]> => {
      const inside = path.slice(root.length + 1).replaceAll(sep, '/')
      return [restoreName(inside), await readFile(path, 'utf8')]
    }),
  )
}

/** npm omits or renames files that begin with a dot, so they are stored with "_". */
const restoreName = (path: string): string => path.replace(/(^|\/)_/, '$1.')

/** @throws Error for a placeholder without a value: a template is wrong */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`No value for ${whole}.`)
    return value
  })
}
