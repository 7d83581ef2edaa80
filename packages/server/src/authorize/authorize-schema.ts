// The schemas of the parameters of authorize, requests and responses. The check of requests, the
// types of the handlers and the OpenAPI document come from them.
import { atMost } from '../http/payload.ts'

/** The parameters that are read; all others are ignored. */
export const AUTHORIZE_PARAMETERS = {
  type: 'object',
  required: ['response_type', 'client_id', 'launch', 'scope', 'redirect_uri', 'state'],
  properties: {
    response_type: atMost(64),
    client_id: atMost(128),
    launch: atMost(256),
    scope: atMost(1024),
    redirect_uri: atMost(2048),
    state: atMost(4096),
    nonce: atMost(512),
    code_challenge: atMost(128),
    code_challenge_method: atMost(16),
    response_mode: atMost(32),
    prompt: atMost(64),
    max_age: atMost(16),
    login_hint: atMost(4096),
    aud: atMost(2048),
    request: atMost(16_384),
    request_uri: atMost(4096),
  },
} as const
