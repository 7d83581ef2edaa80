// The tools that are needed now and then, as one command: each is a program of its own with its own --help.
// Starts one of them and passes on how it ended; holds nothing of what they do. Usage: npm run tool -- --help
import { spawn } from 'node:child_process'
import { join } from 'node:path'

interface Tool {
  readonly program: string
  readonly what: string
}

const TOOLS: Readonly<Record<string, Tool>> = {
  'create-app': {
    program: 'packages/create-chartside-app/src/main.ts',
    what: 'writes an app that launches',
  },
  extension: { program: 'scripts/extension.ts', what: 'builds the browser extension' },
  image: { program: 'scripts/image.ts', what: 'writes the files of the container image' },
  console: { program: 'packages/console/build.ts', what: 'builds the console' },
  docs: { program: 'scripts/docs-site/build.ts', what: 'builds the documentation as a site' },
  ui: { program: 'packages/ui/gallery/main.ts', what: 'serves the gallery of the design system' },
  numbers: { program: 'scripts/numbers.ts', what: 'prints the numbers by which the house is kept' },
  requirements: {
    program: 'scripts/requirements.ts',
    what: 'writes the page that maps each requirement to its tests',
  },
  'supply-chain': {
    program: 'scripts/supply-chain.ts',
    what: 'checks what comes from others; writes notices and SBOMs',
  },
  conformance: {
    program: 'conformance/src/main.ts',
    what: 'checks a service from the outside: OAuth 2.0, OpenID Connect, SMART',
  },
  mutants: {
    program: 'test/mutants/main.ts',
    what: 'plants faults and lists those no test catches',
  },
  fuzz: { program: 'test/fuzz/main.ts', what: 'sends broken requests and messages' },
  chaos: { program: 'test/chaos/main.ts', what: 'kills nodes and databases under load' },
  citus: { program: 'test/citus/main.ts', what: 'the chaos run on PostgreSQL with Citus' },
  faults: { program: 'test/faults/main.ts', what: 'attacks and faults, and what others notice' },
  breaks: {
    program: 'test/browser/breaks/main.ts',
    what: 'failure scenarios of an app, in Chromium',
  },
  'real-size': {
    program: 'test/browser/real-size/main.ts',
    what: 'serves the console over 1,200 apps and 20,000 launches, or photographs it',
  },
  pictures: {
    program: 'test/browser/pictures/main.ts',
    what: 'a picture of every state of the pages, below .chartside',
  },
}

const width = Math.max(...Object.keys(TOOLS).map((name) => name.length))
const HELP = `Usage: npm run tool -- <name> [options]

${Object.entries(TOOLS)
  .map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`)
  .join('\n')}

npm run tool -- <name> --help explains one of them.
`

const [name, ...args] = process.argv.slice(2)
const tool = name === undefined ? undefined : TOOLS[name]
if (tool) {
  const program = join(import.meta.dirname, '..', tool.program)
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: 'inherit',
  })
  // A terminal sends Ctrl-C to both; a supervisor sends SIGTERM to this process alone.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
} else if (name === undefined || name === '--help' || name === '-h') {
  process.stdout.write(HELP)
} else {
  process.stderr.write(`There is no tool ${JSON.stringify(name)}.\n\n${HELP}`)
  process.exit(2)
}
