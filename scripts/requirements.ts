// Writes docs/spec/requirements.md: each requirement, its text and the tests that carry its id.
// Holds no rule itself. Usage: npm run requirements
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTable } from '../test/hardening/security-table.ts'
import { defineScript } from './command-line.ts'
import { buildPage, loadEvidence, PAGE_PATH, root } from './requirements/page.ts'

defineScript('requirements', 'Writes the page that maps each requirement to its tests.').parse()
writeFileSync(join(root, PAGE_PATH), buildPage(loadEvidence()))
// It counts the requirements that have a test.
writeTable()
process.stdout.write(`Wrote ${PAGE_PATH} and the table of docs/security.md.\n`)
