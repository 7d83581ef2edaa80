// Finds sentences of a Markdown page that are too long to be read once. Code blocks, tables and headings do
// not count; a code span and a link are one word each. Pure.

export const MAX_SENTENCE_WORDS = 25

/** Paragraphs and list items, each as one text. */
function listBlocks(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '\n').replace(/<!--[\s\S]*?-->/g, '')
  const blocks: string[] = []
  let block: string[] = []
  const end = () => {
    if (block.length > 0) blocks.push(block.join(' '))
    block = []
  }
  for (const line of text.split('\n')) {
    if (/^\s*(\||#|$)/.test(line)) {
      end()
      continue
    }
    const item = /^\s*(?:[-*]|\d+\.)\s+/.exec(line)
    if (item) end()
    block.push(line.slice(item?.[0].length ?? 0).trim())
  }
  end()
  return blocks
}

const simplify = (block: string) =>
  block
    .replace(/!?\[[^\]]*\]\([^)]*\)/g, 'Link')
    .replace(/`[^`]*`/g, 'Code')
    .replace(/\*\*/g, '')

/** Sentences with more words than `MAX_SENTENCE_WORDS`, as they are counted. */
export const findLongSentences = (markdown: string): string[] =>
  listBlocks(markdown)
    .map(simplify)
    .flatMap((block) => block.split(/(?<=[.!?:]["”)]?)\s+/))
    .filter((sentence) => sentence.split(/\s+/).length > MAX_SENTENCE_WORDS)
