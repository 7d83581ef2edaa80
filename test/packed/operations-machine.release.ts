// docs/operate/operations.md on an empty Debian 12: every command of the page, in its order, in one shell of root, under
// systemd with real users, units, ports and cron; then what the page promises. Only what DIFFERENCES names is
// changed; the version of the upgrade and the name of the backup are those of the run. The machine has loopback only:
// packages were fetched before, names are in /etc/hosts, and launches come through a forwarder.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readCommands } from '../process/operations-page.ts'
import { BootedMachine } from './booted-machine.ts'
import { downloadPackages, fillCache, makeDebianRoot } from './debian-root.ts'

const LAUNCHES = fileURLToPath(new URL('../process/operations-page.ts', import.meta.url))
const MINUTE = 60_000

/** What belongs to a machine with a network of its own, as it is on the page and here. */
const DIFFERENCES = { 'listen_addr = 10.0.0.5': 'listen_addr = 127.0.0.1' }

/** In place of DNS. */
const HOSTS = '127.0.0.1 connect.example db.example pooler.example\n'

const page = readCommands('operations.md')
const of = (heading: RegExp) => page.filter((block) => heading.test(block.heading))
const firstSteps = of(/^From nothing/)
const upgrade = firstSteps.at(-1)?.commands ?? ''
const [untilReady = ''] = firstSteps[5]?.commands.match(/^curl .*$/m) ?? []

const machine = new BootedMachine()
let checkout = ''
let cache = ''
/** Why there is no such machine here. */
let why: string | undefined
const kept = join(machine.root, 'root/practice.json')
const keptAtNight = `${kept}.night`

async function prepare(): Promise<string | undefined> {
  const made = await makeDebianRoot(machine.root)
  if ('why' in made) return made.why
  checkout = made.checkout
  const all = page.flatMap(({ commands }) => commands.match(/(?<=^apt-get install -y ).*$/gm) ?? [])
  await downloadPackages(machine.root, all.join(' ').split(' '))
  cache = await fillCache(machine.root)
  writeFileSync(join(machine.root, 'etc/hosts'), `127.0.0.1 localhost\n${HOSTS}`)
  return boot()
}

const boot = async () => (await machine.boot({ '/root/.npm': cache }))?.why

before(async () => {
  why = await prepare()
})
after(() => machine.remove())

const LOGS =
  "journalctl -b -n 60 -o cat --no-pager -u 'chartside@*' -u pgbouncer -u 'postgresql@*' -u nginx | cut -c1-300"

/** One after another: each begins with what the ones before have made of the machine. */
function step(title: string, body: () => Promise<void>): void {
  test(title, { timeout: 8 * MINUTE }, async (t: TestContext) => {
    if (why !== undefined) return t.skip(why)
    const began = performance.now()
    try {
      await body()
    } catch (error) {
      why = `after "${title}" failed`
      console.log(await machine.ask(LOGS).catch(String))
      throw error
    }
    t.diagnostic(`${((performance.now() - began) / 1000).toFixed(0)} s`)
  })
}

async function follow(blocks: readonly { commands: string }[]): Promise<string> {
  let printed = ''
  for (const { commands } of blocks) printed += await machine.type(toHere(commands))
  return printed
}

const used = new Set<string>()
function toHere(commands: string): string {
  let text = commands
  for (const [there, here] of Object.entries(DIFFERENCES)) {
    if (text.includes(there)) used.add(there)
    text = text.replaceAll(there, here)
  }
  return text
}

/** Launches go on meanwhile, through nginx, from a program of this machine. Every one of them works. */
async function whileLaunching(body: () => Promise<unknown>): Promise<number> {
  const [program = '', ...args] = [...machine.inNetwork, process.execPath, LAUNCHES]
  const child = spawn(program, [...args, machine.root, kept], { stdio: ['pipe', 'pipe', 'pipe'] })
  let [printed, failed] = ['', '']
  child.stderr.on('data', (chunk) => {
    failed += String(chunk)
  })
  const launching = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += String(chunk)
      if (printed.includes('launching')) resolve()
    })
    child.once('close', () => reject(new Error(`no launch: ${failed}`)))
  })
  const ended = once(child, 'close')
  await launching
  await body().finally(() => child.stdin.end())
  await ended
  const result = JSON.parse(printed.replace('launching\n', ''))
  assert.deepEqual(result.failures, [], failed)
  return result.completed
}

const launchOnce = () => whileLaunching(async () => {})

async function eventually<T>(
  seconds: number,
  ask: () => Promise<T>,
  isGood: (found: T) => boolean,
) {
  const until = performance.now() + seconds * 1000
  let found = await ask()
  while (!isGood(found) && performance.now() < until) {
    await sleep(1000)
    found = await ask()
  }
  assert.ok(isGood(found), JSON.stringify(found))
  return found
}

const NODES = 'chartside@4700 chartside@4701'

step('an empty Debian becomes two nodes behind nginx, with backups and alerts', async () => {
  await machine.type(`cd ${checkout}`)
  const printed = await follow(firstSteps.slice(0, -1))
  assert.match(printed, /admin@connect\.example/, 'users list')
  assert.match(printed, /^chartside_clock_offset_seconds -?\d/m)
  assert.match(printed, /^chartside_signing_key_age_seconds \d/m)
  await launchOnce()
})

step('the nodes run without rights, and the secrets are readable by root only', async () => {
  assert.equal(
    await machine.ask('systemd-analyze verify /etc/systemd/system/chartside@.service 2>&1'),
    '',
  )
  for (const unit of NODES.split(' ')) {
    await machine.ask(`systemd-analyze security --threshold=15 ${unit}`)
    const status = await machine.ask(`cat /proc/$(systemctl show -P MainPID ${unit})/status`)
    const [, uid = 0] = /^Uid:\t(\d+)\t/m.exec(status) ?? []
    assert.ok(Number(uid) >= 61_184 && Number(uid) <= 65_519, `a user that systemd made: ${uid}`)
    for (const [name, value] of [
      ['CapEff', '0000000000000000'],
      ['CapBnd', '0000000000000000'],
      ['NoNewPrivs', '1'],
      ['Seccomp', '2'],
    ]) {
      assert.match(status, new RegExp(`^${name}:\\t${value}$`, 'm'))
    }
  }
  const open = 'find /etc/chartside /var/backups/chartside /etc/cron.daily/chartside -perm /077'
  assert.equal(await machine.ask(open), '')
  const asUser =
    'setpriv --reuid=61184 --clear-groups --no-new-privs cat /etc/chartside/chartside.env'
  await assert.rejects(machine.ask(asUser), /Permission denied/)
})

step('Prometheus reads both nodes and has the alerts, and none fires', async () => {
  const ask = async (path: string) =>
    JSON.parse(await machine.ask(`curl -fsS -g 'http://localhost:9090/api/v1/${path}'`)).data
  const up = () => ask('query?query=up{job="chartside"}==1')
  await eventually(90, up, ({ result }) => result.length === 2)
  const { groups } = await ask('rules')
  const rules: { health: string }[] = groups.flatMap((group: { rules: object[] }) => group.rules)
  assert.ok(rules.length > 10)
  const { alerts } = await ask('alerts')
  const firing = alerts.filter(({ state }: { state: string }) => state === 'firing')
  assert.deepEqual(firing, [])
})

step('cron writes the backup of the night, beside the one of today', async () => {
  cpSync(kept, keptAtNight)
  const backups = () => machine.ask('ls /var/backups/chartside/*.db')
  const before = (await backups()).split('\n').length
  // The hour of cron.daily is the next minute that cron has not begun.
  const soon = "date -d '+70 seconds' '+%-M %-H'"
  await machine.ask(`sed -i "s/^25 6\\b/$(${soon})/" /etc/crontab`)
  await eventually(150, backups, (names) => names.split('\n').length === before + 1)
})

step('an upgrade while nodes run loses no launch', async () => {
  const newer = 'sed -i \'s/"version": "1.0.0"/"version": "1.0.1"/\' packages/server/package.json'
  await machine.type(newer)
  const [, second] = firstSteps
  const install = second?.commands.replaceAll('1.0.0', '1.0.1') ?? ''
  const completed = await whileLaunching(async () => {
    assert.match(await machine.type(install), /^1\.0\.1$/m)
    await machine.type(upgrade)
  })
  assert.ok(completed > 50, String(completed))
  for (const port of [9464, 9465]) {
    const metrics = await machine.ask(`curl -fsS localhost:${port}/metrics`)
    assert.match(metrics, /^chartside_build_info\{.*version="1\.0\.1"/m)
  }
})

step('the rest of the page, and the archive of the audit trail', async () => {
  const rest = page.filter((block) => !firstSteps.includes(block) && !of(/pooler/).includes(block))
  assert.match(await follow(rest), /production, issuer https:\/\/connect\.example\/app-auth/)
  const guide = readFileSync(new URL('../../docs/operate/audit.md', import.meta.url), 'utf8')
  const [, archives = ''] = /^## Archives\n\n```\n([\s\S]*?)^```$/m.exec(guide) ?? []
  const commands = archives.match(/^(install|chartside) .*$/gm) ?? []
  assert.equal(commands.length, 4)
  assert.match(await machine.type(commands.join('\n')), /Whole/)
})

/** An authority, and certificates of it, at the places that the page names. */
const CERTIFICATES = `umask 077 && mkdir /root/authority && cd /root/authority
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
for name in db pooler; do
  openssl req -newkey rsa:2048 -nodes -subj /CN=$name.example -keyout $name.key -out $name.csr
  openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out $name.pem \
    -extfile <(echo subjectAltName=DNS:$name.example)
done
install -m 644 ca.pem /etc/ssl/certs/database-ca.pem
install -o postgres -m 600 db.key db.pem /etc/postgresql/15/main/
cd / && runuser -u postgres -- psql -c "ALTER SYSTEM SET ssl_cert_file = '/etc/postgresql/15/main/db.pem'" \
  -c "ALTER SYSTEM SET ssl_key_file = '/etc/postgresql/15/main/db.key'"
systemctl reload postgresql
install -d -m 755 /etc/pgbouncer
install -m 644 /root/authority/ca.pem /etc/pgbouncer/database-ca.pem
install -m 644 /root/authority/pooler.pem /etc/pgbouncer/
install -m 600 /root/authority/pooler.key /etc/pgbouncer/`

step('the pooler comes between without a lost launch, and every connection has TLS', async () => {
  await machine.ask(`(${CERTIFICATES}) 2>&1`)
  await whileLaunching(async () => {
    await follow(of(/pooler/))
    await machine.type(upgrade)
  })
  const plain = `SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
    FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'chartside'`
  const counted = await machine.ask(`runuser -u postgres -- psql -At -c "${plain}"`)
  assert.match(counted, /^[1-9]\d*\|0$/)
  const limits = 'cat /proc/$(systemctl show -P MainPID pgbouncer)/limits'
  assert.match(await machine.ask(limits), /^Max open files +4096 /m)
})

step('after a boot everything is there again', async () => {
  await machine.powerOff()
  assert.equal(await boot(), undefined)
  const order =
    "journalctl -b -1 -o cat --no-pager | grep -E '^Stopp(ed chartside@|ing (pgb|postgresql@))'"
  const stopped = (await machine.ask(`${order} | tail -4 | cut -d' ' -f2`)).split('\n')
  const [first, second, ...databases] = stopped.map((unit) => unit.split('.')[0])
  assert.deepEqual([first, second].toSorted(), NODES.split(' '))
  assert.deepEqual(databases, ['pgbouncer', 'postgresql@15-main'])
  const services = `${NODES} pgbouncer nginx postgresql prometheus cron`
  await machine.ask(`systemctl is-active ${services}`)
  await machine.ask(untilReady)
  await launchOnce()
})

step('a restore of last night brings back the sign-ins and tokens of then', async () => {
  const [restore] = readCommands('backup.md')
  assert.ok(restore)
  const guide = readFileSync(new URL('../../docs/operate/backup.md', import.meta.url), 'utf8')
  const [, pooler = ''] = /With PgBouncer, `(.*?)` follows the first line/.exec(guide) ?? []
  assert.notEqual(pooler, '')
  const [, newShell] = firstSteps.filter(({ commands }) => /export PATH|set -a/.test(commands))
  const example = /\/var\/backups\/chartside\/chartside-.*\.db/
  const [first = '', ...rest] = restore.commands.split('\n')
  const backup = await machine.ask('ls /var/backups/chartside/*.db | tail -1')
  await machine.type('export PATH=/opt/chartside/node_modules/.bin:$PATH')
  await machine.type(newShell?.commands ?? '')
  const commands = [first, pooler, ...rest].join('\n').replace(example, backup)
  assert.match(await machine.type(commands), /^Restored at migration/m)
  await machine.ask(untilReady)
  cpSync(keptAtNight, kept)
  await launchOnce()
})

step('the first password goes and the master key changes, as the pages say', async () => {
  const unit = '/etc/systemd/system/chartside@.service'
  const restart = 'systemctl restart chartside@4700'
  await machine.ask('mv /etc/chartside/admin-password /root/')
  await assert.rejects(machine.ask(restart))
  assert.equal(await machine.ask('systemctl show -P ExecMainStatus chartside@4700'), '243')
  assert.equal(await machine.ask(`grep -c admin-password ${unit}`), '2')
  await machine.ask(`sed -i /admin-password/d ${unit} && systemctl daemon-reload && ${restart}`)
  assert.match(await follow(readCommands('keys.md')), /is not needed/)
  await machine.type(upgrade)
  await launchOnce()
})

step('the commands were those of the page, but for the differences above', async () => {
  assert.deepEqual([...used], Object.keys(DIFFERENCES))
})
