// Bundles the console into dist: one script that the document loads, a chunk for each page, and one
// sheet, all under names with a hash of their content, each also compressed with Brotli. `bundle.json`
// names them for the service. Prints nothing on success; `--watch` builds again after each change.
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, context, type Metafile, type OutputFile } from 'esbuild'
import { storeFiles } from '../ui/store.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Bundle {
  readonly script: string
  readonly sheet: string
  /** The media type of each file by its name. */
  readonly files: Readonly<Record<string, string>>
  /** The files that the document loads before its page: the script with its static imports, and the sheet. */
  readonly first: readonly string[]
}

const OPTIONS = {
  entryPoints: [at('src/main.tsx'), at('src/console.css')],
  outdir: '/',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'chrome125',
  charset: 'utf8',
  jsx: 'automatic',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const satisfies BuildOptions

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Writes into `folder`, which is made when it is missing; by default the package's own dist. */
export async function buildConsole(folder: string = at('dist')): Promise<Bundle> {
  return store(folder, await build(OPTIONS))
}

async function store(
  folder: string,
  { outputFiles, metafile }: { outputFiles: OutputFile[]; metafile: Metafile },
): Promise<Bundle> {
  const contents = new Map(outputFiles.map(({ path, contents }) => [nameOf(path), contents]))
  const files: Record<string, string> = {}
  for (const name of contents.keys()) {
    files[name] = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  }
  const names = Object.keys(files)
  const script = names.find((name) => /^main-\w+\.js$/.test(name)) ?? ''
  const sheet = names.find((name) => name.endsWith('.css')) ?? ''
  const bundle = { script, sheet, files, first: [...listStatic(metafile, script), sheet] }
  await storeFiles(folder, contents, bundle)
  return bundle
}

/** A script with what it imports statically, by name. */
function listStatic({ outputs }: Metafile, script: string, known = new Set<string>()): string[] {
  if (known.has(script)) return []
  known.add(script)
  const output = Object.entries(outputs).find(([path]) => nameOf(path) === script)?.[1]
  const next = (output?.imports ?? []).filter(({ kind }) => kind === 'import-statement')
  return [
    script,
    ...next.flatMap(({ path }) => listStatic({ outputs } as Metafile, nameOf(path), known)),
  ]
}

async function watch(): Promise<void> {
  const onEnd = { name: 'store', setup: listen }
  const watched = await context({ ...OPTIONS, plugins: [onEnd] })
  await watched.watch()
}

const listen: NonNullable<BuildOptions['plugins']>[number]['setup'] = (builder) =>
  builder.onEnd(async ({ outputFiles, metafile, errors }) => {
    if (errors.length === 0 && outputFiles && metafile) {
      await store(at('dist'), { outputFiles, metafile })
      process.stdout.write('The console is built. Start the service again to serve it.\n')
    }
  })

const HELP = `npm run tool -- console               builds the console into packages/console/dist
npm run tool -- console --watch    builds again after each change, until it is interrupted
`

async function main([argument, ...others]: readonly string[]): Promise<void> {
  if (argument === '--help') process.stdout.write(HELP)
  else if (argument === '--watch' && others.length === 0) await watch()
  else if (argument === undefined) await buildConsole()
  else {
    process.stderr.write(`${argument} is not understood.\n\nUsage:\n${HELP}`)
    process.exitCode = 2
  }
}

// Without a top-level await, so that what imports this file is evaluated at once.
if (import.meta.main) void main(process.argv.slice(2))
