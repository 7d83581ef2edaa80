// The physical limit, measured in a process of its own: RS256 signatures per second with node:crypto,
// in place (one core) or on the thread pool (all cores). Signs texts of the size of an ID token; every
// exchange needs exactly one such signature.
import { generateKeyPairSync, sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { answerJobs, type SigningJob, type SigningResult } from './jobs.ts'

const INPUT = Buffer.alloc(700, 'a')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

answerJobs<SigningJob, SigningResult>(async ({ kind, milliseconds }) => {
  const started = performance.now()
  const cpu = process.cpuUsage()
  const end = started + milliseconds
  let count = 0
  if (kind === 'sync') {
    while (performance.now() < end) {
      sign('sha256', INPUT, privateKey)
      count += 1
    }
  } else {
    const loop = async () => {
      while (performance.now() < end) {
        await signOnThreadPool()
        count += 1
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() * 2 }, loop))
  }
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: count / ((performance.now() - started) / 1000),
    cpuMicroseconds: (user + system) / count,
  }
})

function signOnThreadPool(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', INPUT, privateKey, (error, signature) =>
      error ? reject(error) : resolve(signature),
    )
  })
}
