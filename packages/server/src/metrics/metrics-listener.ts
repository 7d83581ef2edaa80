// The port for metrics: one address, no authentication, so it must be reachable by the collector only.
// It answers while the service drains, and knows nothing of the service's own routes.
import { createServer, type Server } from 'node:http'
import type { PrometheusMetrics } from './prometheus.ts'

/** A render takes 14 ms of the loop that answers requests: more than one a second helps no collector. */
const KEEP_MS = 1000

function shareRender(render: () => Promise<string>, keepMs: number): () => Promise<string> {
  let shared: Promise<string> | undefined
  const forget = () => {
    shared = undefined
  }
  return () => {
    if (shared) return shared
    shared = render()
    shared.then(() => setTimeout(forget, keepMs).unref(), forget)
    return shared
  }
}

/** @throws the error of the socket, such as EADDRINUSE */
export async function openListener(
  metrics: Pick<PrometheusMetrics, 'contentType' | 'render'>,
  address: { readonly host: string; readonly port: number },
  keepMs = KEEP_MS,
): Promise<Server> {
  const render = shareRender(metrics.render, keepMs)
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (path !== '/metrics' || request.method !== 'GET') {
      const text = 'Nothing is here. GET /metrics has the metrics of this node.\n'
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
      return
    }
    render().then(
      (text) => {
        const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' }
        response.writeHead(200, headers).end(text)
      },
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Not shared with the other workers of the node.
    server.listen({ ...address, exclusive: true }, resolve)
  })
  return server
}
