// A JSON Web Key as an app registers or a test holds it. A type of its own, because the one of @types/node moves
// from version to version. RFC 7517, RFC 7518 6.

/** Members beside these are kept. */
export interface Jwk {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly n?: string
  readonly e?: string
  readonly [member: string]: unknown
}
