// Writes the page that maps each requirement to its tests, below .chartside, which git ignores.
// Holds no rule itself. Usage: npm run tool -- requirements
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineTool } from './command-line.ts'
import { buildPage, loadEvidence, PAGE_PATH, root } from './requirements/page.ts'

defineTool('requirements', 'Writes the page that maps each requirement to its tests.').parse()
mkdirSync(dirname(join(root, PAGE_PATH)), { recursive: true })
writeFileSync(join(root, PAGE_PATH), buildPage(loadEvidence()))
process.stdout.write(`Wrote ${PAGE_PATH}.\n`)
