// Tests what counts as a sentence, and as a word of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLongSentences } from './sentences.ts'

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')

test('finds a sentence of 26 words and leaves one of 25', () => {
  assert.deepEqual(findLongSentences(`${words(25)}. ${words(26)}.\n`), [`${words(26)}.`])
})

test('counts a link and a code span as one word, over the lines of a paragraph', () => {
  const page = `${words(22)} [a link of five words](x.md)\n\`some code with words\` end.\n`
  assert.deepEqual(findLongSentences(page), [])
})

test('reads list items apart, and neither tables, headings nor code', () => {
  const rows = `# ${words(30)}\n\n| ${words(30)} |\n\n\`\`\`\n${words(30)}\n\`\`\`\n`
  assert.deepEqual(findLongSentences(`${rows}\n- ${words(20)}\n- ${words(20)}\n`), [])
})
