// Writes docs/spec/requirements.md: each requirement, its text and the tests that carry its id.
// Holds no rule itself. Usage: npm run requirements
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineScript } from './command-line.ts'
import { buildPage, loadEvidence, PAGE_PATH, root } from './requirements/page.ts'

defineScript('requirements', 'Writes the page that maps each requirement to its tests.').parse()
writeFileSync(join(root, PAGE_PATH), buildPage(loadEvidence()))
process.stdout.write(`Wrote ${PAGE_PATH}.\n`)
