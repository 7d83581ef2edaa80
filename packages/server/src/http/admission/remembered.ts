// Remembers what a pure function answered to recent texts, such as the addresses that call again and again.
// Bounded: the oldest answer goes for a new one, and long texts, which a caller chooses, are not kept.

const MAX_REMEMBERED = 10_000
const MAX_TEXT = 128

export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined || answers.has(text)) return known as T
    const answer = compute(text)
    if (text.length > MAX_TEXT) return answer
    if (answers.size >= MAX_REMEMBERED) {
      for (const oldest of answers.keys()) {
        answers.delete(oldest)
        break
      }
    }
    answers.set(text, answer)
    return answer
  }
}
