// A template tag that escapes every value, except markup that was made by this tag itself.
// Owns escaping; the only way to put text into the pages of the sample EHR.

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

/** Markup that is already escaped. */
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
