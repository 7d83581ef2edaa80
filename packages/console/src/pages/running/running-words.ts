// What runs in an account in words that its administrators read: what an app learns of their people, how it
// opens, which version it is. Pure.
import type { Running, RunningApp } from '@chartside/protocol/payloads'

const CLAIM_WORDS: Readonly<Record<RunningApp['learns'][number], string>> = {
  name: 'name',
  email: 'e-mail address',
  sub: 'an identifier',
  account: 'practice',
  ehr_type: 'EHR',
  device_id: 'device',
}

/** The claims in their order: who they are comes first. */
const CLAIMS = ['name', 'email', 'sub', 'account', 'ehr_type', 'device_id'] as const

/** Describes what its ID tokens of the week said: “Name, an identifier, practice, EHR and device”. */
export function describeLearned(learns: RunningApp['learns']): string {
  const words = CLAIMS.filter((claim) => learns.includes(claim)).map((claim) => CLAIM_WORDS[claim])
  if (words.length === 0) return 'Nothing in this week'
  const text =
    words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
  return `${text?.charAt(0).toUpperCase()}${text?.slice(1)}`
}

export const nameEhrs = (ehrTypes: readonly string[], ehrs: Running['ehrs']): string =>
  ehrs
    .filter(({ ehrType }) => ehrTypes.includes(ehrType))
    .map(({ name }) => name)
    .join(', ')

/** Describes the EHRs; those on which it is switched off are said apart. */
export function describeEhrs({ ehrTypes, offOn }: RunningApp, ehrs: Running['ehrs']): string {
  const isAll = ehrs.length > 1 && ehrTypes.length === ehrs.length && offOn.length === 0
  if (isAll) return `All ${ehrs.length} EHRs`
  const names = nameEhrs(
    ehrTypes.filter((type) => !offOn.includes(type)),
    ehrs,
  )
  return names || 'none'
}

/** Describes a version: “‘Primary care’ of Sample Apps Inc., version 8. Lakeside follows the latest.” */
export function describeVersion(
  { collection, version, follows }: Running,
  account: { readonly id: string; readonly name: string },
): string {
  if (!collection) return `${account.name} runs no collection.`
  const owner = collection.owner.id === account.id ? 'its own' : collection.owner.name
  const choice =
    follows === 'latest'
      ? `${account.name} follows the latest.`
      : 'It is pinned: no newer version comes by itself.'
  return `“${collection.name}” of ${owner}, version ${version}. ${choice}`
}
