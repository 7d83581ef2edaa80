// Runs axe-core in a page: what it finds keeps people from using the page. The source is evaluated by
// the debugger, because the pages' own policies allow no script from outside.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface PageWithAxe {
  readonly axe: {
    run(
      context: Document,
      options: object,
    ): Promise<{
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
    }>
  }
}

/** One line for each violation; frames are the apps' own pages. */
export async function listViolations(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as PageWithAxe
    const found = await axe.run(document, { iframes: false, resultTypes: ['violations'] })
    return found.violations
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}
