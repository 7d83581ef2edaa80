// A thousand wrong passwords at once, for as many users and from as many addresses, so that only the
// hasher's own limit applies. Runs in a worker thread, so that the measurement does not wait for its
// own load, and over plain sockets, because a load that takes a core to make would slow down what
// is measured. Loopback only.
import { parentPort, workerData } from 'node:worker_threads'
import { jsonRequest, sendTogether } from '../process/sockets.ts'

const { port, count } = workerData as { readonly port: number; readonly count: number }

const guesses = Array.from({ length: count }, (_, i) =>
  jsonRequest(
    '/auth/sign-in',
    { email: `unknown${i}@process.example`, password: 'a wrong password' },
    { 'x-forwarded-for': `10.${i >> 8}.${i & 255}.1` },
  ),
)
const answers = await sendTogether(port, guesses)
parentPort?.postMessage(answers.map(({ status }) => status))
