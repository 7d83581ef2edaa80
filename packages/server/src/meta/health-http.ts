// Whether this node runs (live) and whether it can do its work (ready): a read of the database.
// A node that is live but not ready is left alone by its supervisor and by its balancer.
import type { Reply } from '../http/route.ts'
import type { Service } from '../service.ts'

export async function showLive(service: Service): Promise<Reply> {
  return { status: 200, body: { status: 'live', ready: await isReady(service) } }
}

export async function showReady(service: Service): Promise<Reply> {
  const ready = await isReady(service)
  return ready
    ? { status: 200, body: { status: 'ready', ready } }
    : {
        status: 503,
        headers: { 'retry-after': '5' },
        body: { status: 'not ready', ready, cause: 'The database cannot be read.' },
      }
}

async function isReady(service: Service): Promise<boolean> {
  try {
    return (await service.db.read('SELECT 1 AS one')).length === 1
  } catch {
    return false
  }
}
