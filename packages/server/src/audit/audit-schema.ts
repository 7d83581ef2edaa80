// Schemas of the payloads of this room, in and out: the check, the handler's types and the OpenAPI
// document come from them.
import { closed, id, like, pageOf, text, time, titled } from '../http/payload.ts'

export const AUDIT_EVENT = titled(
  'AuditEvent',
  closed(
    {
      id: id('evt'),
      at: time,
      actor: like('usr_01jnye6xw8q2v5n0m4r7ta'),
      action: like('patchApp'),
      target: like('app_01jnye6xw8q2v5n0m4r7ta'),
      accountId: like('acc_01jnye6xw8q2v5n0m4r7ta'),
      ip: like('203.0.113.7'),
      outcome: { type: 'string', enum: ['ok', 'refused'] },
      detail: { type: 'object', additionalProperties: text },
    },
    { launchId: text },
  ),
)

export const AUDIT_EVENTS = pageOf(AUDIT_EVENT)
