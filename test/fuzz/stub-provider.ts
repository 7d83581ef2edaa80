// An OpenID Connect provider on loopback that describes itself and refuses every code: as much as the
// callback of a sign-in needs to go all the way.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StubProvider {
  readonly issuer: string
  stop(): Promise<void>
}

export async function startStubProvider(): Promise<StubProvider> {
  const server = createServer((request, response) => {
    request.resume()
    const isDiscovery = request.url?.includes('/.well-known/') === true
    response.writeHead(isDiscovery ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isDiscovery ? metadata() : { error: 'invalid_grant' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  })
  return {
    issuer,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
