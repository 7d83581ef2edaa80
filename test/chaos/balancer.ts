// A TCP balancer as a process of its own: each new connection goes to the next node, and to the one
// after it when a node refuses. Never reads the bytes. Its parent sends the ports, and may ask when the
// last connection to a node is closed; the process ends with its parent.
import { connect, createServer, type Socket } from 'node:net'

export type BalancerJob =
  | { readonly kind: 'listen'; readonly port: number; readonly nodes: readonly number[] }
  | { readonly kind: 'drained'; readonly node: number }

/** Answers a job: the port that is listened on, or the node that has no connection any more. */
export type BalancerReply = { readonly kind: BalancerJob['kind']; readonly port: number }

let nodes: readonly number[] = []
let turn = 0
const connectionsOf = new Map<number, number>()
const waitingForDrain = new Set<number>()

const reply = (message: BalancerReply) => process.send?.(message)
const count = (node: number, change: 1 | -1) => {
  const left = (connectionsOf.get(node) ?? 0) + change
  connectionsOf.set(node, left)
  if (left === 0 && waitingForDrain.delete(node)) reply({ kind: 'drained', port: node })
}

function forward(near: Socket, first: number, tried: number): void {
  const node = nodes[(first + tried) % nodes.length]
  if (node === undefined || tried === nodes.length || near.destroyed) {
    near.destroy()
    return
  }
  const far = connect({ host: '127.0.0.1', port: node, noDelay: true })
  let isConnected = false
  count(node, 1)
  far.on('connect', () => {
    isConnected = true
    near.pipe(far).pipe(near)
  })
  far.on('error', () => {})
  far.on('close', () => {
    count(node, -1)
    if (isConnected) near.destroy()
    else forward(near, first, tried + 1)
  })
  near.on('close', () => far.destroy())
}

const server = createServer({ noDelay: true }, (near) => {
  near.on('error', () => {})
  forward(near, turn++, 0)
})

process.on('message', (job: BalancerJob) => {
  if (job.kind === 'listen') {
    nodes = job.nodes
    server.listen(job.port, '127.0.0.1', 1024, () => reply({ kind: 'listen', port: job.port }))
    return
  }
  if (connectionsOf.get(job.node)) waitingForDrain.add(job.node)
  else reply({ kind: 'drained', port: job.node })
})
process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the parent ends this process when it is done with it.
process.on('SIGINT', () => {})
