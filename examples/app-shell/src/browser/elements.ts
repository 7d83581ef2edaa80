// Builds DOM elements, and reads what the server wrote into the page. Text stays text: no HTML string
// is parsed, so nothing that arrives in an address or an answer can become markup.

export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children)
}

export function svg(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): SVGElement {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

function fill<Kind extends Element>(
  element: Kind,
  attributes: Readonly<Record<string, string>>,
  children: readonly (Node | string)[],
): Kind {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** The settings that the page was built with. */
export function readSettings<Settings>(): Settings {
  return JSON.parse(document.body.dataset.settings ?? '{}') as Settings
}
