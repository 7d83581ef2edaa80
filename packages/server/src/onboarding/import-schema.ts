// Schemas of the import, in and out. The command line checks the lines of a file with the same schema of
// a practice. Bounds: what one request may ask for in a few seconds.
import { ACCOUNT_FIELDS } from '../accounts/account-schema.ts'
import { closed, flag, like, listOf, named, orNull, time, titled } from '../http/payload.ts'
import { INVITED_PERSON } from '../members/member-schema.ts'

export const MAX_PRACTICES = 50
export const MAX_PEOPLE = 100

export const PRACTICE = {
  type: 'object',
  additionalProperties: false,
  required: ['externalId', 'name'],
  properties: {
    externalId: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      pattern: '^[\\w.:/-]+$',
      description: 'What your own systems call the practice: the import finds it by this.',
      examples: ['NPI-1093817465'],
    },
    name: ACCOUNT_FIELDS.properties.name,
    collection: ACCOUNT_FIELDS.properties.collection,
    people: { type: 'array', maxItems: MAX_PEOPLE, items: INVITED_PERSON },
  },
} as const

export const IMPORT_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['practices'],
  properties: {
    practices: { type: 'array', minItems: 1, maxItems: MAX_PRACTICES, items: PRACTICE },
    dryRun: { ...flag, description: 'Says what would happen, and changes nothing.' },
    mail: {
      ...flag,
      description: 'Sends the invitations (CHARTSIDE_SMTP_URL) in place of showing them.',
    },
    resend: { ...flag, description: 'Invites again who is invited and has not accepted yet.' },
  },
} as const

const problem = {
  ...like('There is no such published collection version.'),
  description: 'Why this one was left alone; the others were imported.',
} as const

const IMPORTED_PERSON = closed(
  {
    email: like('mei.tanaka@northgate.example'),
    outcome: { type: 'string', enum: ['invited', 'waiting', 'member', 'refused'] },
  },
  {
    invitationUrl: like('https://chartside.example/auth/invitation?token=…'),
    invitationExpiresAt: time,
    mail: { type: 'string', enum: ['sent', 'failed'] },
    problem,
  },
)

export const IMPORT = titled(
  'Import',
  closed({
    dryRun: flag,
    items: listOf(
      closed(
        {
          externalId: like('NPI-1093817465'),
          outcome: { type: 'string', enum: ['created', 'changed', 'unchanged', 'refused'] },
          account: orNull(named('acc', 'Lakeside Family Practice')),
          people: listOf(IMPORTED_PERSON),
        },
        { problem },
      ),
    ),
  }),
)
