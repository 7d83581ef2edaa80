// Whether an answer is for a person: Accept names text/html, and no JSON before it. Browsers name
// text/html; programs name JSON, everything, or nothing. RFC 9110 12.5.1, contract §2.

interface Range {
  readonly type: string
  /** The weight; 0 is what the caller refuses. */
  readonly weight: number
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
  return { type, weight: Number.isNaN(weight) ? 0 : weight }
}

export function isForPerson(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange)
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0
  const page = weightOf('text/html')
  return page > 0 && page >= weightOf('application/json')
}
