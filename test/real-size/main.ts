// Fills the database of a service that is about to start for the first time, with an installation of real size:
// `npm start -- --real-size` runs it with the environment of the sandbox's service. Development only.
import { pino } from 'pino'
import { startApp } from '../../packages/server/src/app.ts'
import { parseConfig } from '../../packages/server/src/config/config.ts'
import { readOne } from '../../packages/server/src/db/database.ts'
import { integer } from '../../packages/server/src/db/row.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { systemRandomness } from '../../packages/server/src/kernel/randomness.ts'
import { fillRealSize, PASSWORD } from './fill.ts'
import { APPS_OF_VENDOR, PRACTICES, VENDORS } from './records.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const launches = Number(process.argv[2])
const startedAt = Date.now()
const { config } = parseConfig(process.env)
if (config.environment !== 'development') {
  throw new Error(
    `Data of real size is invented, and this installation is for ${config.environment}. Leave --real-size out, or start one for development.`,
  )
}
const app = await startApp(config, {
  clock: Date.now,
  monotonic: () => performance.now(),
  uptime: () => performance.now(),
  randomness: systemRandomness(),
  log: pino({ level: 'silent' }),
})
try {
  const { service } = app
  const row = await readOne(
    service.db,
    sql`SELECT COUNT(*) AS earlier FROM users WHERE created_at < ${startedAt}`,
  )
  if (row && integer(row, 'earlier') > 0) {
    throw new Error(
      'The database has data already. Leave --real-size out to keep it, or add --reset to start afresh.',
    )
  }
  say(
    `Filling the database: ${PRACTICES} practices, ${VENDORS} vendors, ${VENDORS * APPS_OF_VENDOR} apps, ${launches} launches…`,
  )
  let shown = 0
  const { actors } = await fillRealSize(
    { service, clock: Date.now },
    {
      ...{ seed: '1', launches },
      onProgress: (share) => {
        const quarter = Math.floor(share * 4)
        if (quarter > shown) say(`${quarter * 25} %`)
        shown = quarter
      },
    },
  )
  for (const [role, { email }] of Object.entries(actors)) say(`${role}: ${email}`)
  say(`The password of these three: ${PASSWORD}`)
  // Last: the sandbox takes it as the end.
  say(`Filled in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
} finally {
  await app.close()
}
