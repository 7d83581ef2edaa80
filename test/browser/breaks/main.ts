// Writes .chartside/breaks.md from the tables of the breaks. Holds no rule itself.
// Usage: npm run tool -- breaks
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineTool } from '../../../scripts/command-line.ts'
import { buildPage, PAGE_PATH } from './breaks-page.ts'

defineTool('breaks', 'Writes the page of what breaks, and what is shown then.').parse()
const path = fileURLToPath(new URL(`../../../${PAGE_PATH}`, import.meta.url))
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, buildPage())
process.stdout.write(`Wrote ${PAGE_PATH}.\n`)
