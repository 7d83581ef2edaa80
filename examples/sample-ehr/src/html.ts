// A template tag that escapes every value, except markup of this tag itself. Owns escaping; all
// text in the pages of the sample EHR goes through it.

export interface Markup {
  readonly markup: string
}

export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | Markup)[]
): string {
  return strings
    .map((part, index) => {
      const value = values[index]
      if (value === undefined) return part
      return part + (typeof value === 'string' ? escapeHtml(value) : value.markup)
    })
    .join('')
}

/** Marks markup that is already escaped. */
export function raw(markup: string): Markup {
  return { markup }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
