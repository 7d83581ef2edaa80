// The page, in the order of its story: the server exchanges the code, the SDK meets the panel, the
// app's own session fetches what is drawn. Tokens stay in this function's memory.
// Spec §4.5, §5.1, §5.6, §2.5 (context is not proof).

interface SessionContext {
  readonly account: { readonly name: string }
  readonly ehrType: string
}

interface Sdk {
  readonly sessionContext: SessionContext | null
  on(event: 'ended', listener: () => void): void
}

declare const Chartside: {
  initServiceSDK(tokens: { accessToken: string; idToken: string }): Promise<Sdk>
}

interface Growth {
  readonly person: { readonly name: string; readonly practice: string }
  readonly child: {
    readonly name: string
    readonly measured: readonly (readonly [number, number])[]
    readonly ages: readonly number[]
    readonly curves: readonly { readonly percentile: number; readonly weights: readonly number[] }[]
  }
}

interface Problem {
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

const main = document.getElementById('app') ?? document.body

open().catch(showProblem)

async function open(): Promise<void> {
  const { callbackQuery: query } = window as unknown as { callbackQuery: string }
  const { access_token, id_token, launch } = await call<Record<string, string>>('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const tokens = { accessToken: access_token ?? '', idToken: id_token ?? '' }
  const sdk = await Chartside.initServiceSDK(tokens)
  sdk.on('ended', showEnded)
  showGrowth(await call<Growth>('/api/growth', { headers: { 'x-launch': launch ?? '' } }), sdk)
}

async function call<Reply>(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(path, init)
  const reply: unknown = await response.json()
  if (!response.ok) throw reply
  return reply as Reply
}

function showGrowth({ person, child }: Growth, { sessionContext }: Sdk): void {
  main.className = 'app'
  main.replaceChildren(
    el(
      'header',
      {},
      el('h1', {}, 'Growth Chart'),
      el(
        'p',
        { class: 'who' },
        el('strong', { id: 'provider' }, person.name),
        el('span', { id: 'practice' }, person.practice),
      ),
    ),
    el('section', {}, el('h2', {}, `${child.name}, weight by age`), drawing(child)),
    el(
      'p',
      { class: 'quiet' },
      `The panel says ${sessionContext?.account.name ?? 'nothing'}; the name above is from the ID token that this server verified. The child and the curves are invented.`,
    ),
  )
}

const WIDTH = 320
const HEIGHT = 220
const LAST_AGE = 36
const MOST = 18

/** A point of the drawing for an age in months and a weight in kilograms. */
const place = (age: number, weight: number): string => {
  const x = 38 + (age / LAST_AGE) * (WIDTH - 76)
  const y = HEIGHT - 24 - (weight / MOST) * (HEIGHT - 36)
  return `${x.toFixed(1)},${y.toFixed(1)}`
}

function drawing({ ages, curves, measured, name }: Growth['child']): SVGElement {
  const label = `${name}: ${measured.map(([age, kg]) => `${kg} kg at ${age} months`).join(', ')}`
  const marks: SVGElement[] = []
  for (const months of [0, 12, 24, 36]) {
    marks.push(text(place(months, -1.4), `${months} mo`, 'middle'))
  }
  for (const kg of [5, 10, 15]) {
    marks.push(svg('polyline', { class: 'grid', points: `${place(0, kg)} ${place(LAST_AGE, kg)}` }))
    marks.push(text(place(-1, kg - 0.3), `${kg} kg`, 'end'))
  }
  for (const { percentile, weights } of curves) {
    const points = weights.map((kg, index) => place(ages[index] ?? 0, kg))
    marks.push(svg('polyline', { class: 'curve', points: points.join(' ') }))
    marks.push(text(place(LAST_AGE + 0.6, (weights.at(-1) ?? 0) - 0.3), `${percentile}th`, 'start'))
  }
  const points = measured.map(([age, kg]) => place(age, kg))
  marks.push(svg('polyline', { class: 'child', points: points.join(' ') }))
  for (const point of points) {
    const [cx = '', cy = ''] = point.split(',')
    marks.push(svg('circle', { class: 'child', cx, cy, r: '3' }))
  }
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`
  return svg('svg', { viewBox, role: 'img', 'aria-label': label }, ...marks)
}

function text(point: string, words: string, anchor: string): SVGElement {
  const [x = '', y = ''] = point.split(',')
  return svg('text', { x, y, 'text-anchor': anchor }, words)
}

function showEnded(): void {
  main.className = 'middle'
  const words = 'The launch has ended. Nothing was kept here.'
  main.replaceChildren(el('h1', {}, 'Growth Chart is closed'), el('p', {}, words))
}

function showProblem(thrown: unknown): void {
  const { error, cause, fix, trace_id } = asProblem(thrown)
  main.className = 'middle'
  const rows: [string, string | undefined][] = [
    ['Code', error],
    ['Fix', fix],
    ['Trace', trace_id],
  ]
  const list = rows.flatMap(([term, words]) =>
    words ? [el('dt', {}, term), el('dd', {}, words)] : [],
  )
  main.replaceChildren(
    el(
      'section',
      { class: 'error', role: 'alert' },
      el('h1', {}, 'Growth Chart could not open'),
      el('p', {}, cause),
      el('dl', {}, ...list),
    ),
  )
}

/** The server's own words, or those of the SDK. */
function asProblem(thrown: unknown): Problem {
  if (!(thrown instanceof Error)) return thrown as Problem
  const code = 'code' in thrown ? String(thrown.code) : 'unexpected_error'
  return { error: code, cause: thrown.message, fix: 'Launch the app again from the panel.' }
}

function el(name: string, attributes: Record<string, string>, ...children: (Node | string)[]) {
  return fill(document.createElement(name), attributes, children)
}

function svg(name: string, attributes: Record<string, string>, ...children: (Node | string)[]) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

function fill<Kind extends Element>(
  element: Kind,
  attributes: Record<string, string>,
  children: (Node | string)[],
): Kind {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}
