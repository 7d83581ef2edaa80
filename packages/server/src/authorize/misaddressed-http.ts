// A browser that an app sent to a wrong address in place of authorize. Without this its frame shows “refused to
// connect”, because no other page of the service may be framed, and the timeline knows only that nothing came.

import type { OAuthCall, TextReply } from '../http/call.ts'
import { parametersFromForm } from '../http/input/parameters.ts'
import type { Service } from '../service.ts'
import { explain, parseAuthorizeRequest } from './authorize-request.ts'
import { recordRefusal, refuseWithoutRedirect } from './refusal-http.ts'

/** Never redirects: the refusal is a page, and a failed step of the launch that the request names. */
export async function refuseMisaddressed(service: Service, call: OAuthCall): Promise<TextReply> {
  const request = parseAuthorizeRequest(parametersFromForm(call.query))
  const refusal = explain('invalid_request', 'authorize_address_wrong', {
    fix: `Send the browser to ${service.config.baseUrl}/app-auth/authorize, as authorization_endpoint of discovery says.`,
  })
  await service.limits.count(call, call.now, 'authorize')
  await recordRefusal(service, call, request, refusal)
  const page = await refuseWithoutRedirect(service, call, request, undefined, refusal)
  return { ...page, status: 404 }
}
