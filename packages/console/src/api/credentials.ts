// The calls about how the signed-in person signs in: login methods, the second factor, the
// sign-ins that are open, and developer keys.
import type {
  DeveloperKey,
  LoginMethod,
  NewDeveloperKey,
  OpenSignIn,
} from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page, withQuery } from './client.ts'

/** The link of an administrator is mailed to them, and no other administrator sees it. */
export interface MailedLink {
  readonly sentTo: string
  readonly expiresAt: string
}

export interface OneTimeLink {
  readonly url: string
  readonly expiresAt: string
}

export interface SecondFactor {
  readonly state: 'off' | 'unconfirmed' | 'on'
  readonly isRequired: boolean
  readonly recoveryCodesLeft: number
}

export interface NewSecondFactor {
  readonly secret: string
  readonly uri: string
  /** The code as SVG. */
  readonly qrCode: string
}

export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[]
}

const ME = '/api/users/me'
const FACTOR = `${ME}/second-factor`

export const listLoginMethods = (cursor: string | undefined, options?: CallOptions) =>
  api.get<Page<LoginMethod>>(withQuery(`${ME}/login-methods`, { cursor }), options)

/** A page of the service at which a method is added, once. */
export const beginLoginMethod = () => api.post<OneTimeLink>(`${ME}/login-methods`)

export const removeLoginMethod = (id: string) =>
  api.remove(`${ME}/login-methods/${encodeURIComponent(id)}`)

export const loadSecondFactor = (options?: CallOptions) => api.get<SecondFactor>(FACTOR, options)

export const beginSecondFactor = () => api.post<NewSecondFactor>(FACTOR)

export const confirmSecondFactor = (code: string) =>
  api.post<RecoveryCodes>(`${FACTOR}/confirm`, { code })

export const replaceRecoveryCodes = (code: string) =>
  api.post<RecoveryCodes>(`${FACTOR}/recovery-codes`, { code })

export const removeSecondFactor = (code: string) =>
  api.post<undefined>(`${FACTOR}/remove`, { code })

export const listSignIns = (cursor: string | undefined, options?: CallOptions) =>
  api.get<Page<OpenSignIn>>(withQuery(`${ME}/sign-ins`, { cursor }), options)

export const endSignIn = (id: string) => api.remove(`${ME}/sign-ins/${encodeURIComponent(id)}`)

const KEYS = `${ME}/developer-keys`

export const listDeveloperKeys = (options?: CallOptions) =>
  api.get<Page<DeveloperKey>>(KEYS, options)

export const createDeveloperKey = (body: {
  readonly accountId: string
  readonly name: string
  readonly lifetimeDays: number
}) => api.post<NewDeveloperKey>(KEYS, body)

export const deleteDeveloperKey = (id: string) => api.remove(`${KEYS}/${encodeURIComponent(id)}`)
