// Writes docs/build/breaks.md from the tables of the breaks. Holds no rule itself.
// Usage: npm run tool -- breaks
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineTool } from '../../../scripts/command-line.ts'
import { buildPage, PAGE_PATH } from './breaks-page.ts'

defineTool('breaks', 'Writes the page of what breaks, and what is shown then.').parse()
writeFileSync(fileURLToPath(new URL(`../../../${PAGE_PATH}`, import.meta.url)), buildPage())
process.stdout.write(`Wrote ${PAGE_PATH}.\n`)
