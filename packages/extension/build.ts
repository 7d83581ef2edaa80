// Builds the extension: every file of the package in memory, a folder to load, a zip to publish. The
// same sources and inputs give the same bytes. The manifest is in src/manifest.ts; nothing is fetched.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildIcon, parseIcon } from './icon.ts'
import { type BuildInputs, buildManifest, MANAGED_SCHEMA } from './src/manifest.ts'

export { findInputProblems } from './input-problems.ts'
export type { BuildInputs }

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const PAGES = ['offscreen', 'setup', 'panel', 'signed-in']
const ICON_SIZES = [16, 48, 128]

/** The public key of development builds: it fixes their id. The private half was thrown away. */
export const DEVELOPMENT_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAphNVOoD6LIW2KacIGo6p6NfYab80yWo18cDpiND6GzIQPAd9r+8nrE/gSUgoxfLIZ9+VsfaeobVdc4Q1yW5AbLJ6tka2TgsFVDcOa6/XXN/X6a36hPqqZ1WMp0kqelU6SijdzgDAM2TgAhvq1DUx5FNGbK4gsz2crDsv2BP+pHk85/sndAbNCnh05O1i15uuLUw2BGU/1dl0n7HxU+3irL11ivbcKHnp0qOuMg5Dk4MV3S4A3vAMJj7IKXXFR3+b/lXbyr7+MQ+ZbjbhpgRDu0faeBp8Q8fGC5DftQ+8sf4WcAoDMrYWg0o12wJY7IMa5Ya2Jef5G+BGl0YchH2CjwIDAQAB'

/** A build for this machine: loopback is admitted, the id is that of the development key. */
export const DEVELOPMENT: BuildInputs = {
  name: 'Chartside (development)',
  version: '1.0.0',
  key: DEVELOPMENT_KEY,
  service: null,
  ehrHosts: [],
  isDevelopment: true,
}

/** The first 128 bits of the hash of the key, in the characters a to p. */
export function computeExtensionId(key: string): string {
  const digits = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32)
  return [...digits].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
}

/** Every file of the package by its path, in a fixed order. */
export async function bundleExtension(inputs: BuildInputs): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const { outputFiles } = await build({
    entryPoints: listEntries(),
    outdir: '/',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'chrome126',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __CHARTSIDE_SERVICE__: JSON.stringify(inputs.service),
      __CHARTSIDE_DEVELOPMENT__: JSON.stringify(inputs.isDevelopment),
    },
  })
  for (const { path, contents } of outputFiles) files.set(path.replace(/^.*[\\/]/, ''), contents)
  for (const page of PAGES) {
    files.set(`${page}.html`, await readFile(at(`src/${page}/${page}.html`)))
  }
  const json = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
  files.set('manifest.json', json(buildManifest(inputs)))
  files.set('managed-schema.json', json(MANAGED_SCHEMA))
  for (const size of ICON_SIZES) {
    files.set(
      `icons/${size}.png`,
      inputs.icons ? await readIcon(inputs.icons, size) : buildIcon(size),
    )
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function readIcon(folder: string, size: number): Promise<Uint8Array> {
  const path = join(folder, `${size}.png`)
  const picture = await readFile(path).catch((cause: Error) => {
    throw new Error(`${path} cannot be read: ${cause.message}.`, { cause })
  })
  return parseIcon(picture, size, path)
}

/** The script and the style sheet of each page, and the scripts without a page. */
function listEntries(): { in: string; out: string }[] {
  return ['background', 'content', ...PAGES].flatMap((name) =>
    ['ts', 'tsx', 'css']
      .map((type) => at(`src/${name}/${name}.${type}`))
      .filter((path) => existsSync(path))
      .map((path) => ({ in: path, out: name })),
  )
}

/** Replaces the folder; the browser loads it as it is. */
export async function writeExtension(
  files: ReadonlyMap<string, Uint8Array>,
  folder: string,
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const [path, contents] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), contents)
  }
}
