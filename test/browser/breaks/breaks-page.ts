// Builds the page of the breaks from the tables of this folder: what each break shows, where, and within
// how many seconds. Pure; breaks.browser.ts proves each row.
import type { Break } from './break.ts'
import { MISTAKES, REFUSED } from './first-hour.ts'
import { ALL_BREAKS, BREAKS } from './tables.ts'

/** Outside version control, because the tables are the source. */
export const PAGE_PATH = '.chartside/breaks.md'

export function buildPage(): string {
  const sections = Object.entries(BREAKS).map(
    ([area, breaks]) => `## ${area}\n\n${HEAD}\n${breaks.map(buildRow).join('\n')}\n`,
  )
  return `${intro(ALL_BREAKS.length)}\n${sections.join('\n')}`
}

const intro = (count: number): string => `# What breaks, and what is shown then

${count} mistakes and outages of an app, each played in Chromium by a test in the sandbox. The page of the app, the card on
the timeline and the panel name one code; the card has cause and fix too. [errors.md](../docs/build/errors.md) explains the codes.

The app is written with the app kit, as \`npm run tool -- create-app\` writes one, unless its name says “by hand”. A provider reads
the words of the panel, and no code. The seconds are upper bounds, from the opening of the app or from the event: what is
known is shown at once, and only where nothing of the app speaks does the host wait ten seconds.

\`npm run tool -- breaks\` writes this page; \`npm test -- breaks\` plays it, \`BREAK=slash npm test -- breaks\` a part of it.
`

/** The table of docs/build/mistakes.md. */
export function buildMistakes(): string {
  const rows = [
    ...MISTAKES.map(({ what, item, seconds, before }) => {
      const [state = '', words = ''] = item.card ?? []
      const step = state.replace(/^Failed at ?/, '').replace('Opening', 'waiting')
      return [
        what,
        state === 'Opening' ? words : `\`${item.code}\`: ${words}`,
        `card${step && `, ${step}`}`,
        `${seconds} s`,
        before,
      ]
    }),
    ...REFUSED.map(({ what, cause }) => [what, cause, 'dialog, field', 'at once', EXACT]),
    ['the port of the sandbox is taken', TAKEN_PORT, 'terminal', 'at once', EXACT],
  ]
  return [
    '| mistake | cause shown | where | after | before |\n|---|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`),
  ].join('\n')
}

const EXACT = 'at once, exact'
const TAKEN_PORT = 'Another program is using port …; choose other ports: `npm start -- --port 4800`'

const HEAD = `| break | code | the app's page | the card | the panel | within |
|---|---|---|---|---|---|`

function buildRow({ name, code, pageCode, page, card, panel, seconds }: Break): string {
  const shown = typeof page === 'string' ? page : `(${page.silent})`
  const codes = [code, ...(pageCode ? [`${pageCode} (page)`] : [])].map((each) => `\`${each}\``)
  const cells = [
    ...[name, codes.join(', '), shown],
    card ? `${card[0]}: ${card[1]}` : '(there is no launch)',
    ...[panel || '(the app)', `${seconds} s`],
  ]
  return `| ${cells.map(escapeCell).join(' | ')} |`
}

const escapeCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
