// The schemas of the payloads of domains, requests and responses. The check of requests, the types of the handlers and
// the OpenAPI document come from them.
import { closed, id, like, orNull, pageOf, time, titled } from '../http/payload.ts'
import { DOMAIN_FINDINGS } from './domain.ts'

export const DOMAIN = titled(
  'Domain',
  closed(
    {
      id: id('dom'),
      domain: like('lakeside.example'),
      state: {
        type: 'string',
        enum: ['pending', 'verified', 'lapsed'],
        description: 'Only a verified domain leads people anywhere. It is proved again every day.',
      },
      record: closed({
        name: like('_chartside.lakeside.example'),
        value: like('chartside-domain=Jd0vGkXq3mQyBz8wPn5s'),
      }),
      createdAt: time,
      verifiedAt: orNull(time),
      checkedAt: orNull(time),
    },
    {
      finding: closed(
        {
          code: { type: 'string', enum: DOMAIN_FINDINGS },
          cause: like('There is no TXT record at _chartside.lakeside.example.'),
        },
        { fix: like('Add it where the DNS of the domain is managed.') },
      ),
    },
  ),
)

export const DOMAINS = pageOf(DOMAIN)

export const DOMAIN_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['domain'],
  properties: {
    domain: {
      type: 'string',
      minLength: 1,
      maxLength: 253,
      examples: ['lakeside.example'],
      description: 'What follows the @ in the addresses of your people.',
    },
  },
} as const
