// Builds and finds DOM elements. Text stays text: no HTML string is ever parsed in this page.
// Owns nothing on the page; panel, sign-in card and timeline do.

export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value)
  }
  element.append(...children)
  return element
}

/** An element that the page's own HTML is known to have. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${kind.name} with the id "${id}".`)
}

export function button(label: string, onClick: () => void): HTMLButtonElement {
  const element = el('button', { type: 'button', class: 'button compact' }, label)
  element.addEventListener('click', onClick)
  return element
}
