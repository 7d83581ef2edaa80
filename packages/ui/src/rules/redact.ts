// What must not stand on a screen that others see: bearer values of the service, ID tokens, passwords
// and authorization headers. The kind and the last four characters stay, so that two values
// can be compared. Pure: text in, pieces out.

export interface TextPiece {
  readonly text: string
  readonly isRedacted: boolean
}

const FIELD = '(?:client_secret|password|code_verifier|refresh_token|client_assertion)'

/** A bearer value, a JWT, the value of a field that names a secret, or of an authorization header. */
const SECRETS = new RegExp(
  [
    String.raw`(?<bearer>\b(?:at|code|cs|st|cl|inv)_[A-Za-z0-9_-]{16,})`,
    String.raw`(?<jwt>\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]*)`,
    // In quotes up to the closing one; otherwise on the same line, up to the next field or its end.
    String.raw`(?<=${FIELD}["']?\s*[:=]\s*")(?<quoted>(?:[^"\\\r\n]|\\.)+)`,
    String.raw`(?<=${FIELD}["']?[ \t]*[:=][ \t]*)(?<field>[^"\s&][^&\r\n]*)`,
    String.raw`(?<=authorization:\s*(?:basic|bearer|dpop)\s+)(?<header>\S+)`,
  ].join('|'),
  'gi',
)

export function redact(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(SECRETS)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isRedacted: false })
    pieces.push({ text: shorten(match[0]), isRedacted: true })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isRedacted: false })
  return pieces
}

/** The same as one text, for a copy. */
export const redactText = (text: string): string =>
  redact(text)
    .map((piece) => piece.text)
    .join('')

/** The service keeps two facts of a secret: its kind and its length. There is nothing left to cut. */
const CUT_BEFORE = /^(?:[a-z]+_)?… \(\d+ characters\)$/

function shorten(secret: string): string {
  if (CUT_BEFORE.test(secret)) return secret
  const kind = /^[a-z]+_/i.exec(secret)?.[0] ?? ''
  const isLong = secret.length - kind.length >= 16
  return `${kind}…${isLong ? secret.slice(-4) : ''}`
}
