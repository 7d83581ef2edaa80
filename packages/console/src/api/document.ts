// The OpenAPI document of this service as far as a form needs it, loaded once: it changes with a new version
// only, and with it the page.
import { api, type CallOptions } from './client.ts'

/** A JSON schema as the document writes it, as far as a form needs it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly 'x-permission'?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: Schema; readonly example: unknown }>
    >
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>> }>
  >
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: unknown
}

let loaded: ApiDocument | undefined

export async function loadDocument(options?: CallOptions): Promise<ApiDocument> {
  loaded ??= await api.get<ApiDocument>('/openapi.json', options)
  return loaded
}
