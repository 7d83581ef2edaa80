// The handle at the edge of an EHR page: a button that opens the panel. It sits in a closed shadow root,
// so the page can neither read nor style it; only trusted clicks count. It can be moved along the
// edge by pointer and by arrow keys. It shows nothing about the person or the apps.

export interface Handle {
  show(isShown: boolean): void
  remove(): void
}

export interface HandleOptions {
  onOpen(): void
  /** False once the extension that put it there is gone. */
  isAlive(): boolean
}

const ELEMENT = 'chartside-handle'

const STYLE = `
:host { all: initial !important; position: fixed !important; right: 0 !important;
  z-index: 2147483647 !important; display: block !important; }
:host([hidden]) { display: none !important; }
button { all: unset; box-sizing: border-box; width: 28px; height: 44px; cursor: pointer;
  display: grid; place-items: center; border-radius: 8px 0 0 8px; touch-action: none;
  background: #15579e; color: #fff; font: 600 16px/1 system-ui, sans-serif;
  box-shadow: 0 1px 4px rgb(0 0 0 / 40%); }
button:focus-visible { outline: 3px solid #ffbf47; outline-offset: 2px; }
@media (forced-colors: active) { button { border: 1px solid ButtonText; } }
@media print { :host { display: none !important; } }
`
const STEP = 4
const MOVE_THRESHOLD_PX = 5
const RETURN_DELAY_MS = 250

export function createHandle({ onOpen, isAlive }: HandleOptions): Handle {
  // That of an earlier version of the extension opens nothing any more.
  for (const earlier of document.querySelectorAll(ELEMENT)) earlier.remove()
  const { host, sheet, button } = buildElements()

  /** The place of the handle, in percent of the height of the window. */
  let top = 40
  let isShown = false
  // In the sheet: its `all` is stronger than a style of the element, which the page could set too.
  const { style } = sheet.cssRules[0] as CSSStyleRule
  const place = (percent: number) => {
    top = Math.min(Math.max(percent, 2), 92)
    style.setProperty('top', `${top}%`, 'important')
  }
  place(top)

  let drag: { readonly y: number; readonly top: number } | null = null
  /** The click that follows ends the drag and opens nothing. */
  let isMoved = false
  button.addEventListener('pointerdown', (event) => {
    if (!event.isTrusted) return
    drag = { y: event.clientY, top }
    isMoved = false
    // A new version of the extension can take the handle away under the pointer.
    if (button.isConnected) button.setPointerCapture(event.pointerId)
  })
  button.addEventListener('pointermove', (event) => {
    if (!drag) return
    const moved = event.clientY - drag.y
    if (Math.abs(moved) > MOVE_THRESHOLD_PX) isMoved = true
    if (isMoved) place(drag.top + (moved / window.innerHeight) * 100)
  })
  button.addEventListener('lostpointercapture', () => {
    drag = null
  })
  button.addEventListener('click', (event) => {
    if (event.isTrusted && !isMoved) onOpen()
    isMoved = false
  })
  button.addEventListener('keydown', (event) => {
    isMoved = false
    if (!event.isTrusted || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    place(top + (event.key === 'ArrowUp' ? -STEP : STEP))
  })

  const remove = () => {
    clearTimeout(returning)
    observer.disconnect()
    host.remove()
  }
  const attach = () => {
    if (!isAlive()) return remove()
    host.hidden = !isShown
    const root = document.documentElement
    if (!root) return
    if (isShown && !host.isConnected) root.append(host)
    observer.observe(root, { childList: true })
  }
  let returning: ReturnType<typeof setTimeout> | undefined
  // A page that redraws itself removes the handle. One that does so again and again is not kept busy.
  const observer = new MutationObserver(() => {
    clearTimeout(returning)
    if (!host.isConnected) returning = setTimeout(attach, RETURN_DELAY_MS)
  })
  observer.observe(document, { childList: true })
  return {
    show: (next) => {
      isShown = next
      attach()
    },
    remove,
  }
}

function buildElements() {
  const host = document.createElement(ELEMENT)
  const shadow = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  shadow.adoptedStyleSheets = [sheet]
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '‹'
  button.setAttribute('aria-label', 'Open the side panel of connected apps')
  button.title = 'Open the side panel. Drag it, or use the arrow keys, to move it.'
  shadow.append(button)
  return { host, sheet, button }
}
