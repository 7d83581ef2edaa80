// A thousand wrong passwords at once, for as many people and from as many addresses, so that no limit
// but the hasher's own stands in their way. Runs in a worker thread, because whoever measures must
// not wait for its own flood, and over plain sockets, because a flood that takes a core to make
// would slow down what is measured. Loopback only.
import { parentPort, workerData } from 'node:worker_threads'
import { jsonRequest, sendTogether } from '../process/sockets.ts'

const { port, count } = workerData as { readonly port: number; readonly count: number }

const guesses = Array.from({ length: count }, (_, i) =>
  jsonRequest(
    '/auth/sign-in',
    { email: `nobody${i}@process.example`, password: 'a wrong password' },
    { 'x-forwarded-for': `10.${i >> 8}.${i & 255}.1` },
  ),
)
const answers = await sendTogether(port, guesses)
parentPort?.postMessage(answers.map(({ status }) => status))
