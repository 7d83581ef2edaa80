// Very many requests at once, from as many addresses: wrong passwords for as many people, so that no
// limit but the hasher's own stands in their way, or the same requests without a password. Runs in
// a worker thread, because whoever measures must not wait for its own flood. Loopback only.
import { parentPort, workerData } from 'node:worker_threads'

const { baseUrl, count, fields } = workerData as {
  readonly baseUrl: string
  readonly count: number
  readonly fields: object
}

async function guess(i: number): Promise<number> {
  const answer = await fetch(`${baseUrl}/auth/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${i >> 8}.${i & 255}.1`,
    },
    body: JSON.stringify({ email: `nobody${i}@process.example`, ...fields }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const statuses = await Promise.all(Array.from({ length: count }, (_, i) => guess(i)))
parentPort?.postMessage(statuses)
