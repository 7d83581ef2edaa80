// npm run tool -- real-size: serves the console over an installation of real size until Ctrl-C, or photographs its
// pages as each role sees them, with what axe-core finds and what is wider than the window, or the pictures of docs.
import { defineTool } from '../../../scripts/command-line.ts'

const { seed, launches, pictures, overviews } = defineTool(
  'real-size',
  'Serves the console over 40 practices, 12 vendors, 1,200 apps and two weeks of launches with four outages, in a database of its own that is deleted afterwards. With --pictures it photographs the pages into .chartside/real-size and ends.',
)
  .option('--seed <text>', 'the same seed gives the same names and launches', '1')
  .option('--launches <count>', 'how many launches', '20000')
  .option('--pictures', 'photograph the pages instead of serving them')
  .option(
    '--overviews',
    'photograph the first page of each role into docs/images, while an app fails',
  )
  .parse()
  .opts<{ seed: string; launches: string; pictures?: boolean; overviews?: boolean }>()

const say = (text: string) => process.stdout.write(`${text}\n`)
const { fillRealSize, PASSWORD } = await import('../../real-size/fill.ts')
const size = { seed, launches: Number(launches) }
if (overviews) await (await import('./overviews.ts')).photographOverviews(say)
else if (pictures) {
  const { photograph } = await import('./photograph.ts')
  process.exitCode = (await photograph(size, say)).faults.length === 0 ? 0 : 1
} else {
  const { ADMIN, startTestService } = await import('../../../packages/server/test/test-service.ts')
  const { freePort } = await import('../../../packages/server/test/free-port.ts')
  const port = await freePort()
  const base = `http://localhost:${port}`
  const node = await startTestService(
    { CHARTSIDE_BASE_URL: base, CHARTSIDE_ENVIRONMENT: 'staging' },
    { clock: Object.assign(() => Date.now(), { advance() {} }) },
  )
  const { actors } = await fillRealSize(node, size)
  await node.server.listen({ port, host: '127.0.0.1' })
  say(`${base}/console, until Ctrl-C. The password of all: ${ADMIN.password}`)
  say(`platform administrator  ${ADMIN.email}`)
  for (const [role, { email }] of Object.entries(actors)) say(`${role.padEnd(22)}  ${email}`)
  if (PASSWORD !== ADMIN.password) throw new Error('There are two passwords.')
  process.once('SIGINT', () => void node.close().then(() => process.exit(0)))
}
