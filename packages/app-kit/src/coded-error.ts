// The base of the kit's errors, in the page and on the server: a stable code, the cause as message
// and a fix. A message never quotes a code, a token, a secret or a stored value. Spec §7.

export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code
  /** The step that the user, or the developer, can take. */
  readonly fix: string

  constructor(code: Code, message: string, fix: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.fix = fix
  }
}
