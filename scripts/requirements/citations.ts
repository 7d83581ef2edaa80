// Finds what source, tests and documents cite of docs/inside/spec: requirement ids, and sections as in
// “Spec §4.1”, “contract §2, §3” and “security §1 and §11”. Pure: text in, citations out.
import { ID } from './catalog.ts'

export type Page = 'spec' | 'contract' | 'security'

export interface SectionCitation {
  readonly page: Page
  readonly number: string
}

/** A comment that goes on in the next line is one text. */
const joinLines = (text: string): string => text.replace(/\n[ \t]*(?:\/\/|\*|#|>)?[ \t]*/g, ' ')

const NUMBER = String.raw`§\d+(?:\.\d+)?`
const SECTIONS = new RegExp(
  String.raw`\b(spec(?:ification)?|contract|security),? (${NUMBER}(?:(?:, | and | to |-|–)${NUMBER})*)`,
  'gi',
)

export function listCitedSections(text: string): SectionCitation[] {
  return [...joinLines(text).matchAll(SECTIONS)].flatMap(([, name = '', list = '']) => {
    const lower = name.toLowerCase()
    const page: Page = lower === 'contract' || lower === 'security' ? lower : 'spec'
    return [...list.matchAll(/§([\d.]*\d)/g)].map(([, number = '']) => ({ page, number }))
  })
}

/** A section number without a page, that belongs to no other standard: `(§5.2, §4.3)`. */
export function listBareSections(text: string): string[] {
  const rest = joinLines(text).replace(SECTIONS, ' ')
  const foreign = /\b(?:RFC \d+|(?:Core|Discovery) 1\.0|Standard),? §[\d.]+(?:, §[\d.]+)*/g
  return [...rest.replace(foreign, ' ').matchAll(/§(\d+(?:\.\d+)?)/g)].map(
    ([, number = '']) => number,
  )
}

/** Lists everything that looks like an id and stands by itself, as in `[C05]` and `security C10-C13`. */
export function listCitedIds(text: string): string[] {
  const pattern = new RegExp(`(?<![\\w+.#$-])${ID}(?![\\w:]|\\.\\w)|(?<=${ID}[-–])${ID}\\b`, 'g')
  return [...text.matchAll(pattern)].map(([id]) => id)
}
